#version 330 core
// The soft shadow of a far actor: one point that covers the shadow of the light and that of the contact
// (scene/footprint.vert), which far/footprint.frag finds in it.
#include "crowd/steady_record.glsl"
#include "crowd/share.glsl"
#include "crowd/look.glsl"
#include "scene/footprint_shape.glsl"
#include "scene/footprint_cloud.glsl"
#include "far/guard.glsl"

uniform mat4 ckViewProjection;
uniform float ckSunStrength;
uniform float ckContactStrength;
// Shadows of actors that are nearly as small as points fade, because points have none: the height of
// points, pixels, and that of the body at scale 1, metres.
uniform vec2 ckFade;

flat out vec4 vCenterStrength;  // pixels; of the light's shadow, of the contact's
flat out vec4 vToSun;           // from pixels off the center to standard deviations of the light's shadow
flat out vec4 vToContact;       // of the contact's
flat out vec4 vMiddles;         // of both at the center, standard deviations

const float kReach = 2.3;  // standard deviations that are seen of a shadow

// How many pixels to the sides an ellipse reaches.
vec2 ckReachOf(mat2 onScreen) {
  return kReach * sqrt(vec2(dot(vec2(onScreen[0].x, onScreen[1].x), vec2(onScreen[0].x, onScreen[1].x)),
                            dot(vec2(onScreen[0].y, onScreen[1].y), vec2(onScreen[0].y, onScreen[1].y))));
}

void main() {
  CkActor actor = ckActor();
  CkCloud cloud = ckCloudOf(actor);
  vec3 position = actor.positionAlphaA.xyz;
  vec3 scale = actor.scaleAlphaB.xyz;
  CkEllipse sun =
      ckEllipseOf(cloud, position, actor.rotation, scale, kToLight.xz / kToLight.y);
  CkEllipse contact = ckEllipseOf(cloud, position, actor.rotation, scale, vec2(0.0));
  contact.axes *= 1.25;
  float high = exp(-contact.low / (3.0 * contact.size + 1e-6));
  vec2 middle = 0.5 * (sun.center + contact.center);
  vec3 world = vec3(middle.x, 0.0, middle.y);
  vec4 clip = ckViewProjection * vec4(world, 1.0);
  vec2 ndc = clip.xy / clip.w;
  // How the screen moves with a place on the ground, to first order.
  mat4 rows = transpose(ckViewProjection);
  vec2 overX = (rows[0].xz - ndc.x * rows[3].xz) * (0.5 * ckScreen.z / clip.w);
  vec2 overY = (rows[1].xz - ndc.y * rows[3].xz) * (0.5 * ckScreen.w / clip.w);
  mat2 fromGround = transpose(mat2(overX, overY));
  mat2 sunOnScreen = fromGround * sun.axes;
  mat2 contactOnScreen = fromGround * contact.axes;
  mat2 toSun = inverse(sunOnScreen);
  mat2 toContact = inverse(contactOnScreen);
  vec2 sunAway = fromGround * (sun.center - middle);
  vec2 contactAway = fromGround * (contact.center - middle);
  vec2 reach = max(abs(sunAway) + ckReachOf(sunOnScreen),
                   abs(contactAway) + ckReachOf(contactOnScreen));
  float clear = 1.0 - ckAirAmount(world);
  float pixelsHigh = ckFade.y * scale.x * length(rows[1].xyz) * 0.5 * ckScreen.w / clip.w;
  clear *= clamp(pixelsHigh / max(ckFade.x, 1e-6) - 1.0, 0.0, 1.0);
  vCenterStrength = vec4(ckScreen.xy + (ndc * 0.5 + 0.5) * ckScreen.zw,
                         vec2(ckSunStrength, ckContactStrength) * (high * clear));
  vToSun = vec4(toSun[0], toSun[1]);
  vToContact = vec4(toContact[0], toContact[1]);
  vMiddles = vec4(toSun * sunAway, toContact * contactAway);
  gl_PointSize = min(2.0 * max(reach.x, reach.y) + 1.0, ckLargestPoint);
  bool seen = clip.w > 0.0 && abs(determinant(fromGround)) > 1e-12 &&
              max(vCenterStrength.z, vCenterStrength.w) > 0.0 && !ckIsGoing(actor.look);
  gl_Position = seen ? ckGuarded(clip) : vec4(2.0, 2.0, 2.0, 1.0);
}
