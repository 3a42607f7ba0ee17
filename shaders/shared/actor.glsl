// The transform and look of an actor, 44 bytes. It is constant unless the actor moves over the
// ground.
struct CkPlace {
  vec3 position;  // metres
  int look;       // ck_packLook
  vec4 rotation;  // unit quaternion x, y, z, w
  vec3 scale;
};

// The frames of an actor, 16 bytes, which change in every tick. They are stored apart from the
// place.
struct CkFrames {
  int frameA;
  float alphaA;  // fraction between frame A and the one after it
  int frameB;    // or -1
  float alphaB;  // fraction between frame B and the one after it
};

// The record that all methods draw from: place and frames combined.
struct CkActor {
  vec4 positionAlphaA;  // xyz: metres; w: fraction between frame A and the one after it
  vec4 rotation;        // unit quaternion x, y, z, w
  vec4 scaleAlphaB;     // xyz: scale; w: fraction between frame B and the one after it
  ivec2 frames;         // frame A; frame B or -1
  int look;             // ck_packLook
  int unused;           // pads to a multiple of 16 bytes, as std140 requires
};

CK_FN CkActor ck_actorOf(CkPlace place, CkFrames frames) {
  CkActor actor;
  actor.positionAlphaA =
      vec4(place.position.x, place.position.y, place.position.z, frames.alphaA);
  actor.rotation = place.rotation;
  actor.scaleAlphaB = vec4(place.scale.x, place.scale.y, place.scale.z, frames.alphaB);
  actor.frames = ivec2(frames.frameA, frames.frameB);
  actor.look = place.look;
  actor.unused = 0;
  return actor;
}

// Packs the blend of clip B over A in [0, 1] (10 bits), 6 bits of 0 (crowd/share.glsl), and the tint as
// 5-6-5 bits.
CK_FN int ck_packLook(float blend, int tint565) {
  return int(blend * 1023.0f + 0.5f) | (tint565 << 16);
}
CK_FN float ck_lookBlend(int look) { return float(look & 1023) / 1023.0f; }
CK_FN vec4 ck_lookTint(int look) {
  int c = (look >> 16) & 65535;
  return vec4(float((c >> 11) & 31) / 31.0f, float((c >> 5) & 63) / 63.0f, float(c & 31) / 31.0f,
              1.0f);
}
