#version 330 core
// Soft shadows and selection rings on the ground: three quads per actor. The shadow is that of a
// Gaussian distribution of joints, which stays one under rotation, scaling and projection
// (docs/techniques.md 4.7).
#include "crowd/actor_record.glsl"
#include "shared/quaternion.glsl"
#include "crowd/share.glsl"
#include "crowd/light.glsl"
#include "scene/footprint_shape.glsl"
#include "scene/footprint_cloud.glsl"

uniform mat4 ckViewProjection;
uniform float ckSunStrength;
uniform float ckContactStrength;

out vec2 vSpread;   // in standard deviations
out vec3 vWorld;
flat out float vStrength;
flat out int vRing;
flat out int vContact;

void main() {
  int kind = gl_VertexID / 6;  // 0: shadow of the light, 1: contact, 2: ring
  CkActor actor = ckActor();
  CkCloud cloud = ckCloudOf(actor);
  vec2 slant = kind == 0 ? kToLight.xz / kToLight.y : vec2(0.0);
  CkEllipse ellipse = ckEllipseOf(cloud, actor.positionAlphaA.xyz, actor.rotation, actor.scaleAlphaB.xyz, slant);
  mat2 axes = ellipse.axes;
  float reach = kind == 0 ? 2.3 : 2.6;
  vStrength = kind == 0 ? ckSunStrength : ckContactStrength;
  vStrength *= exp(-ellipse.low / (3.0 * ellipse.size + 1e-6));
  if (kind == 2) {
    axes = mat2(ellipse.size, 0.0, 0.0, ellipse.size);
    vStrength = ckSelected();
  } else if (kind == 1) {
    axes *= 1.25;
  }
  vRing = kind == 2 ? 1 : 0;
  vContact = kind == 1 ? 1 : 0;
  int corner = gl_VertexID % 6;
  vec2 unit = vec2(corner == 1 || corner == 2 || corner == 4 ? 1.0 : -1.0,
                   corner == 2 || corner == 4 || corner == 5 ? 1.0 : -1.0);
  vSpread = unit * reach;
  vec2 place = ellipse.center + axes * vSpread;
  vWorld = vec3(place.x, 0.0, place.y);
  gl_Position = ckViewProjection * vec4(vWorld, 1.0);
  // Invisible: emit no pixels.
  if (vStrength <= 0.0 || ckIsGoing(actor.look)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
