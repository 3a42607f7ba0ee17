// The footprint of an actor (core/view/footprints.h). Include actor_record.glsl and footprint_shape.glsl
// first.
uniform samplerBuffer ckFootprints;
uniform int ckFootprintCount;

// The footprint between two frames; three texels per frame.
CkCloud ckCloudAt(int wanted, float alpha) {
  int frame = min(wanted, ckFootprintCount - 1);
  int next = min(frame + 1, ckFootprintCount - 1);
  CkCloud cloud;
  cloud.meanLow =
      mix(texelFetch(ckFootprints, frame * 3), texelFetch(ckFootprints, next * 3), alpha);
  cloud.diagonal = mix(texelFetch(ckFootprints, frame * 3 + 1),
                       texelFetch(ckFootprints, next * 3 + 1), alpha).xyz;
  cloud.mixed = mix(texelFetch(ckFootprints, frame * 3 + 2),
                    texelFetch(ckFootprints, next * 3 + 2), alpha).xyz;
  return cloud;
}

CkCloud ckCloudOf(CkActor actor) {
  CkCloud cloud = ckCloudAt(actor.frames.x, actor.positionAlphaA.w);
  float blend = ck_lookBlend(actor.look);
  if (blend > 0.0) {
    CkCloud second = ckCloudAt(actor.frames.y, actor.scaleAlphaB.w);
    cloud.meanLow = mix(cloud.meanLow, second.meanLow, blend);
    cloud.diagonal = mix(cloud.diagonal, second.diagonal, blend);
    cloud.mixed = mix(cloud.mixed, second.mixed, blend);
  }
  return cloud;
}
