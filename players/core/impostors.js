// Pictures of far actors (NAME.impostors.json and its two PNG; docs/export.md of Crowdkiln, section Impostors),
// and shader text (GLSL ES 3.00) that draws an actor as one of them: a quad of four corners.
import { pngPixels } from './png.js';

/** How far off an impostor may be on the screen, in pixels, where nothing else is asked for. */
const PIXELS_OFF = 2;

// A level of half the width and height. Colours are averaged as linear light, all by what is covered.
function halved({ width, height, color, form }) {
  const half = { width: width >> 1, height: height >> 1 };
  half.color = new Uint8Array(4 * half.width * half.height);
  half.form = new Uint8Array(4 * half.width * half.height);
  const sums = new Float64Array(7);
  for (let y = 0; y < half.height; ++y) {
    for (let x = 0; x < half.width; ++x) {
      sums.fill(0);
      let weights = 0;
      let covered = 0;
      for (let i = 0; i < 4; ++i) {
        const at = 4 * ((2 * y + (i >> 1)) * width + 2 * x + (i & 1));
        const weight = Math.max(form[at + 3] / 255, 1e-3);
        for (let c = 0; c < 3; ++c) {
          sums[c] += weight * color[at + c] ** 2;
          sums[4 + c] += weight * form[at + c];
        }
        sums[3] += weight * color[at + 3];
        weights += weight;
        covered += form[at + 3];
      }
      const to = 4 * (y * half.width + x);
      for (let c = 0; c < 3; ++c) {
        half.color[to + c] = Math.round(Math.sqrt(sums[c] / weights));
        half.form[to + c] = Math.round(sums[4 + c] / weights);
      }
      half.color[to + 3] = Math.round(sums[3] / weights);
      half.form[to + 3] = Math.round(covered / 4);
    }
  }
  return half;
}

export class ImpostorData {
  /** @param about the value of NAME.impostors.json. @param color, form the bytes of the PNG files. */
  static async read(about, color, form) {
    if (about.format !== 'crowdkiln-impostors' || about.version !== 1) {
      throw new TypeError('These are no impostors of this version of crowd.js; take all files of one export');
    }
    return new ImpostorData(about, await pngPixels(color), await pngPixels(form));
  }

  constructor(about, color, form) {
    const { cells, moments, directions, momentOfFrame, rings } = about;
    this.cells = cells;
    this.moments = moments.length;
    this.frames = momentOfFrame.length;
    this.width = color.width;
    this.height = color.height;
    /** Of detail, the largest first: { width, height, color, form }. */
    this.levels = [{ width: color.width, height: color.height, color: color.data, form: form.data }];
    for (let side = Math.min(cells.width, cells.height); side > 1; side /= 2) this.levels.push(halved(this.levels.at(-1)));
    /** For ckImpostorFacts, four floats a texel: moments, directions, the moment of every frame. */
    this.facts = new Float32Array([
      ...moments.flatMap(({ center, half }) => [...center, 0, ...half, 0]),
      ...directions.flatMap(({ right, up, towards, depthPixels }) => [...right, 0, ...up, 0, ...towards, depthPixels]),
      ...momentOfFrame.flatMap((moment) => [moment, 0, 0, 0]),
    ]);
    this.directions = directions.length;
    /** For ckRings. */
    this.rings = new Float32Array(16);
    rings.forEach(({ first, count }, i) => this.rings.set([count, first], 4 * i));
    /** Metres, of an actor of scale 1 in any moment. */
    this.bodyHeight = 2 * Math.max(...moments.map(({ half }) => half[1]));
    this.errorMeters = about.errorMeters;
    // No pixel of a picture is larger than one of the screen, and no edge is far from where it would be.
    this.usualPixels = Math.min(cells.height, (PIXELS_OFF * this.bodyHeight) / about.errorMeters);
  }
}

/**
 * How high an actor of `meters` is on the screen in pixels, by a column-major matrix from the world to clip space;
 * `perPixel`: pixels of a metre where w is 1. Infinity where it reaches the eye, 0 behind it.
 */
function heightOnScreen(worldToClip, perPixel, meters, x, y, z) {
  const w = worldToClip[3] * x + worldToClip[7] * y + worldToClip[11] * z + worldToClip[15];
  const isParallel = worldToClip[3] === 0 && worldToClip[7] === 0 && worldToClip[11] === 0;
  if (!isParallel && w <= meters) return w < -2 * meters ? 0 : Infinity;
  return (meters * perPixel) / w;
}

/**
 * Whether an actor is so low on the screen that it is drawn as an impostor. It stands at x, y, z; upX, upY, upZ: its
 * vertical axis there, as long as its scale. `view`: { worldToClip, perPixel } of heightOnScreen(), { bodyHeight } of
 * ImpostorData, { limit } in pixels, and { scale } of the space of x, y, z in that of worldToClip's w.
 * An actor of scale 0 has no picture and stays a mesh.
 */
export function isFar({ worldToClip, perPixel, bodyHeight, limit, scale }, x, y, z, upX, upY, upZ) {
  const meters = bodyHeight * Math.hypot(upX, upY, upZ) * scale;
  if (!(meters > 0)) return false;
  const half = 0.5 * bodyHeight;
  return heightOnScreen(worldToClip, perPixel, meters, x + half * upX, y + half * upY, z + half * upZ) < limit;
}

/**
 * `CkImpostor ckImpostorOf(...)` for vertex shaders. `shaders` are those of NAME.crowd.json; their common, atlas and
 * actors stand before.
 */
export function impostorVertexText(impostors, shaders) {
  const { cells, moments, directions, frames, levels } = impostors;
  return `${shaders.impostors}
uniform sampler2D ckImpostorFacts;
uniform vec4 ckRings[4];
struct CkImpostor {
  vec4 clip;    // of the body's middle
  vec3 world;   // the same
  vec2 off;     // of this corner from it on the screen, in the units of clip.xy / clip.w
  vec2 inCell;  // of this corner from the cell's middle, pixels, upwards
  vec3 cell;    // its upper left corner, pixels; level of detail
  mat3 placed;  // from inCell and depth (-1 to 1) to metres in the world off the middle
  mat3 turned;  // from the picture's axes to the world, of unit length
};
vec4 ckImpostorFact(int i) {
  int width = textureSize(ckImpostorFacts, 0).x;
  return texelFetch(ckImpostorFacts, ivec2(i % width, i / width), 0);
}
int ckImpostorMoment(CkMoment at) {
  int frame = clamp(int(float(at.frame) + at.alpha + 0.5), 0, ${frames - 1});
  return int(ckImpostorFact(${2 * moments + 3 * directions} + frame).x);
}
// \`eye\`: as a point, or with w = 0 the direction towards it. \`screen\`: pixels. \`corner\`: -1 or 1 each.
CkImpostor ckImpostorOf(int actor, float seconds, mat4 place, mat4 viewProjection, vec4 eye, vec2 screen, vec2 corner) {
  CkShown shown = ckShownBy(actor, seconds);
  int moment = shown.blend >= 0.5 ? ckImpostorMoment(shown.b) : ckImpostorMoment(shown.a);
  vec3 extent = ckImpostorFact(2 * moment + 1).xyz;
  mat3 own = mat3(place);
  CkImpostor far;
  far.world = (place * vec4(ckImpostorFact(2 * moment).xyz, 1.0)).xyz;
  far.clip = viewProjection * vec4(far.world, 1.0);
  if (!(abs(determinant(own)) > 0.0)) {
    // Without a volume there is no picture: all corners are one point, outside the clip space.
    far.clip = vec4(0.0, 0.0, 2.0, 1.0);
    far.off = far.inCell = vec2(0.0);
    far.cell = vec3(0.0);
    far.placed = far.turned = mat3(1.0);
    return far;
  }
  vec3 sight = inverse(own) * (eye.xyz - far.world * eye.w);
  int direction = ckNearestDirection(normalize(sight), ckRings);
  int at = ${2 * moments} + 3 * direction;
  vec3 right = ckImpostorFact(at).xyz;
  vec3 up = ckImpostorFact(at + 1).xyz;
  vec4 towards = ckImpostorFact(at + 2);
  const vec2 size = vec2(${cells.width}.0, ${cells.height}.0);
  CkOnScreen on = ckOnScreen(viewProjection, far.clip, screen, own, extent, right, up, size);
  far.inCell = 0.5 * size * corner;
  far.off = on.toScreen * (far.inCell * on.metersPerPixel) * 2.0 / screen;
  int number = direction * ${moments} + moment;
  far.cell = vec3(vec2(number % ${cells.columns}, number / ${cells.columns}) * size, ckLevelOnScreen(on, ${levels.length - 1}.0));
  far.placed = own * mat3(right, up, towards.xyz * towards.w) * on.metersPerPixel;
  far.turned = mat3(normalize(own[0]), normalize(own[1]), normalize(own[2])) * mat3(right, up, towards.xyz);
  return far;
}
`;
}

/**
 * For fragment shaders: `bool ckImpostorPixel(...)` is false where nothing is; else `paint` has the linear base colour
 * and the share of the tint, `form` the normal along the picture's axes and the depth (-1 to 1).
 */
export function impostorFragmentText(impostors) {
  const { width, height } = impostors.cells;
  return `
uniform sampler2D ckImpostorColor;
uniform sampler2D ckImpostorForm;
bool ckImpostorPixel(vec2 inCell, vec3 cell, out vec4 paint, out vec4 form) {
  const vec2 half_ = vec2(${width / 2}.0, ${height / 2}.0);
  paint = form = vec4(0.0);
  if (any(greaterThanEqual(abs(inCell), half_))) return false;
  int level = int(cell.z + 0.5);
  ivec2 at = ivec2(cell.xy + half_ + vec2(inCell.x, -inCell.y)) >> level;
  vec4 stored = texelFetch(ckImpostorForm, at, level);
  if (stored.a < 0.5) return false;
  paint = texelFetch(ckImpostorColor, at, level);
  paint.rgb *= paint.rgb;
  stored.xyz = stored.xyz * 2.0 - 1.0;
  form = vec4(stored.xy, sqrt(max(1.0 - dot(stored.xy, stored.xy), 0.0)), stored.z);
  return true;
}
`;
}
