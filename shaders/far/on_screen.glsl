// Which picture of a far actor is shown, and how it lies on the screen: formulae of their arguments
// alone, which the editor (far/picture.glsl) and exported players share.

const float kWholeTurn = 6.28318531;

// The number of the direction that is nearest to one in model space, of unit length. Rings are 30
// degrees apart, from the horizon to the pole; of each: the number of its directions, and its first.
int ckNearestDirection(vec3 towards, vec4 rings[4]) {
  int ring = int(clamp(floor(asin(clamp(towards.y, -1.0, 1.0)) * (12.0 / kWholeTurn) + 0.5), 0.0, 3.0));
  vec4 facts = rings[ring];
  float turn = abs(towards.x) + abs(towards.z) > 1e-6 ? atan(towards.x, towards.z) / kWholeTurn : 0.0;
  float step = floor(turn * facts.x + 0.5);
  return int(facts.y + step - facts.x * floor(step / facts.x));
}

// A picture on the screen.
struct CkOnScreen {
  vec2 seen;             // half of the body's box along the picture's axes, metres
  float metersPerPixel;  // of the picture: impostorMetersPerPixel() in core/export/impostors.h
  mat2 toScreen;         // from metres in the picture to pixels of the screen, both off the body's middle
  mat2 fromScreen;       // back, to pixels of the picture
};

// dot(a, C b) for a diagonal C.
float ckWithin(vec3 a, vec3 b, vec3 diagonal) { return dot(a * diagonal, b); }

// `clip`: the body's middle under `viewProjection`. `screen`: width and height, pixels. `own`: from model
// space to the world. `extent`: half of the body's box. `right`, `up`: the picture's axes. `cell`: its
// width and height, pixels.
CkOnScreen ckOnScreen(mat4 viewProjection, vec4 clip, vec2 screen, mat3 own, vec3 extent, vec3 right, vec3 up,
                      vec2 cell) {
  CkOnScreen on;
  on.seen = vec2(dot(abs(right), extent), dot(abs(up), extent));
  on.metersPerPixel = 2.0 * max(on.seen.x / (cell.x - 2.0), on.seen.y / (cell.y - 2.0));
  // How the screen moves with a place in model space, to first order: rows x and y.
  mat4 rows = transpose(viewProjection);
  vec2 ndc = clip.xy / clip.w;
  vec3 overX = (rows[0].xyz - ndc.x * rows[3].xyz) * own * (0.5 * screen.x / clip.w);
  vec3 overY = (rows[1].xyz - ndc.y * rows[3].xyz) * own * (0.5 * screen.y / clip.w);
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
  on.fromScreen = inPicture * inverse(onScreen) * (1.0 / on.metersPerPixel);
  on.toScreen = onScreen * inverse(inPicture);
  return on;
}

// The level of detail of which a pixel is half a pixel of the screen up to one; `last` is the smallest.
float ckLevelOnScreen(CkOnScreen on, float last) {
  float pixels = sqrt(abs(determinant(on.fromScreen)));
  return clamp(floor(log2(max(pixels, 1e-6))), 0.0, last);
}
