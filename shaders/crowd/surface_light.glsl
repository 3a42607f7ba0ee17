// Computes the light on a surface, for both shader stages. Include look.glsl first.

// Shading of a surface colour: colour * taken + added, linear.
struct CkLight {
  vec3 taken;
  vec3 added;
};

// The light on a rough surface. `normal` has unit length and points to the viewer's side. `open` is
// the share of the key light.
CkLight ckLightFrom(vec3 world, vec3 normal, vec3 toEye, float open) {
  float facing = dot(normal, kToLight);
  float key = clamp((facing + 0.22) / 1.22, 0.0, 1.0);
  key *= key * (3.0 - 2.0 * key) * 0.35 + 0.65;
  key *= open;
  // Sky light is weaker near the ground and on surfaces that face down.
  float sky = mix(0.5, 1.0, smoothstep(-0.1, 0.9, world.y)) * (0.8 + 0.2 * normal.y);
  vec3 around = mix(kGroundLight, kSkyLight, normal.y * 0.5 + 0.5) * sky;
  float edge = 1.0 - max(dot(normal, toEye), 0.0);
  float rim = edge * edge * edge * (0.35 + 0.65 * max(normal.y, 0.0));
  float shine = max(dot(normal, normalize(toEye + kToLight)), 0.0);
  shine *= shine;
  shine *= shine;
  shine *= shine;
  shine *= shine * shine * max(facing, 0.0) * open;
  CkLight light;
  light.taken = kKeyLight * key + around;
  light.added = kSkyLight * rim * 0.45 + kKeyLight * shine * 0.07;
  return light;
}

// Light as it reaches the eye through `air` (its colour, and its amount in w). `edge` is 0 where the
// surface faces the eye and 1 at its outline, `selected` is 1 for a selected actor.
CkLight ckSeenThrough(vec4 air, CkLight light, float edge, float selected) {
  // Selected actors glow at their edges.
  light.taken *= 1.0 - 0.3 * selected;
  light.added += (kAccent * (0.10 + 1.1 * edge * edge) - light.added * 0.3) * selected;
  light.taken *= 1.0 - air.w;
  light.added = mix(light.added, air.rgb, air.w);
  return light;
}
CkLight ckSeenFrom(CkLight light, vec3 world, float edge, float selected) {
  return ckSeenThrough(vec4(ckAirColor(world), ckAirAmount(world)), light, edge, selected);
}

CkLight ckLightOn(vec3 world, vec3 normal, vec3 toEye, float open, float selected) {
  CkLight light = ckLightFrom(world, normal, toEye, open);
  return ckSeenFrom(light, world, 1.0 - max(dot(normal, toEye), 0.0), selected);
}
