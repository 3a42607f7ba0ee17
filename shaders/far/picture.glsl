// The picture of a far actor: which one is shown, and how it lies on the screen. For vertex shaders.
#define CK_FAR_ACTORS 1
#include "crowd/actor_record.glsl"
#include "shared/quaternion.glsl"
#include "crowd/look.glsl"
#include "far/guard.glsl"

uniform mat4 ckViewProjection;
uniform vec4 ckEyePoint;       // the eye that ckViewProjection has; w = 0: the direction towards it
uniform vec4 ckCells;          // width, height, columns of a sheet, largest level of detail
uniform vec4 ckRings[4];       // of directions: their number, index of the first
uniform isamplerBuffer ckImpostorFrames;      // the moment of every frame
uniform samplerBuffer ckImpostorMoments;      // center; half of the box
uniform samplerBuffer ckImpostorDirections;   // right; up; towards, depth in pixels

const float kTurn = 6.28318531;

struct CkPicture {
  vec4 clip;        // of the body's middle; outside of the image if there is nothing to see
  vec2 center;      // pixels
  vec3 world;       // of the middle
  mat2 fromScreen;  // from pixels off the center to pixels of the picture off its middle
  float level;      // of detail, of which a pixel is half a pixel of the screen up to one
  vec2 reach;       // of the picture on the screen from the center to each side, pixels
  int direction;
  vec2 cell;        // the picture's middle on its sheet, pixels
  mat3 placed;      // from right, up (pixels of the picture) and depth (-1 to 1) to metres in the world
  mat3 turned;      // from the picture's axes to the world, of unit length
};

int ckMomentOf(CkActor actor) {
  bool second = ck_lookBlend(actor.look) >= 0.5 && actor.frames.y >= 0;
  float frame = second ? float(actor.frames.y) + actor.scaleAlphaB.w
                       : float(actor.frames.x) + actor.positionAlphaA.w;
  int last = textureSize(ckImpostorFrames) - 1;
  return texelFetch(ckImpostorFrames, clamp(int(frame + 0.5), 0, last)).x;
}

// The nearest direction to one in model space.
int ckDirectionOf(vec3 towards) {
  int ring = int(clamp(floor(asin(clamp(towards.y, -1.0, 1.0)) * (12.0 / kTurn) + 0.5), 0.0, 3.0));
  vec4 facts = ckRings[ring];
  float turn = abs(towards.x) + abs(towards.z) > 1e-6 ? atan(towards.x, towards.z) / kTurn : 0.0;
  float step = floor(turn * facts.x + 0.5);
  return int(facts.y + step - facts.x * floor(step / facts.x));
}

// dot(a, C b) for a diagonal C.
float ckWithin(vec3 a, vec3 b, vec3 diagonal) { return dot(a * diagonal, b); }

CkPicture ckPictureOf(CkActor actor) {
  CkPicture picture;
  int moment = ckMomentOf(actor);
  vec3 middle = texelFetch(ckImpostorMoments, moment * 2).xyz;
  vec3 extent = texelFetch(ckImpostorMoments, moment * 2 + 1).xyz;
  vec3 scale = actor.scaleAlphaB.xyz;
  mat3 turn = mat3(ck_rotate(actor.rotation, vec3(1.0, 0.0, 0.0)),
                   ck_rotate(actor.rotation, vec3(0.0, 1.0, 0.0)),
                   ck_rotate(actor.rotation, vec3(0.0, 0.0, 1.0)));
  mat3 own = mat3(turn[0] * scale.x, turn[1] * scale.y, turn[2] * scale.z);
  picture.world = actor.positionAlphaA.xyz + own * middle;
  picture.clip = ckViewProjection * vec4(picture.world, 1.0);
  vec2 ndc = picture.clip.xy / picture.clip.w;
  picture.center = ckScreen.xy + (ndc * 0.5 + 0.5) * ckScreen.zw;

  vec3 sight = (ckEyePoint.xyz - picture.world * ckEyePoint.w) * turn / scale;
  picture.direction = ckDirectionOf(normalize(sight));
  vec3 right = texelFetch(ckImpostorDirections, picture.direction * 3).xyz;
  vec3 up = texelFetch(ckImpostorDirections, picture.direction * 3 + 1).xyz;
  vec4 towards = texelFetch(ckImpostorDirections, picture.direction * 3 + 2);
  // As impostorMetersPerPixel() has it.
  vec2 seen = vec2(dot(abs(right), extent), dot(abs(up), extent));
  float metersPerPixel = 2.0 * max(seen.x / (ckCells.x - 2.0), seen.y / (ckCells.y - 2.0));

  // How the screen moves with a place in model space, to first order: rows x and y.
  mat4 rows = transpose(ckViewProjection);
  vec3 overX = (rows[0].xyz - ndc.x * rows[3].xyz) * own * (0.5 * ckScreen.z / picture.clip.w);
  vec3 overY = (rows[1].xyz - ndc.y * rows[3].xyz) * own * (0.5 * ckScreen.w / picture.clip.w);
  // The eye seldom looks just from the picture's direction. A place in the picture stands for the mean
  // of what lies behind it in an even box (the regression of depth), which is where the screen shows
  // it: bodies so keep their height and do not slide within a step of directions.
  vec3 spread = extent * extent;
  float across = ckWithin(right, right, spread);
  float both = ckWithin(right, up, spread);
  float high = ckWithin(up, up, spread);
  mat2 inPicture = mat2(across, both, both, high);
  mat2 onScreen = mat2(ckWithin(overX, right, spread), ckWithin(overY, right, spread),
                       ckWithin(overX, up, spread), ckWithin(overY, up, spread));
  float area = determinant(inPicture);
  float meters2 = dot(overX, overX) + dot(overY, overY);  // pixels per metre, squared, twice
  if (abs(determinant(onScreen)) < 0.1 * meters2 * area) {
    // Seen from where there is no picture near: turned to the screen as it is.
    inPicture = mat2(1.0);
    onScreen = mat2(sqrt(0.5 * meters2));
  }
  picture.fromScreen = inPicture * inverse(onScreen) * (1.0 / metersPerPixel);
  mat2 toScreen = onScreen * inverse(inPicture);
  picture.reach = abs(toScreen[0]) * seen.x + abs(toScreen[1]) * seen.y;

  int columns = int(ckCells.z);
  picture.cell = (vec2(moment % columns, moment / columns) + 0.5) * ckCells.xy;
  picture.placed = own * mat3(right, up, towards.xyz * towards.w) * metersPerPixel;
  // Scales are even; a mirroring one turns all axes round.
  picture.turned = turn * mat3(right, up, towards.xyz) * sign(scale.x);
  float pixels = sqrt(abs(determinant(picture.fromScreen)));
  picture.level = clamp(floor(log2(max(pixels, 1e-6))), 0.0, ckCells.w);
  if (picture.clip.w <= 0.0 || scale.x == 0.0) picture.clip = vec4(2.0, 2.0, 2.0, 1.0);
  return picture;
}
