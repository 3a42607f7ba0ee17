// The content of an exported set, read from NAME.crowd.json and the texels of NAME.atlas.raw.
import { LOOP_MODES } from './actors.js';

const TEXELS = {
  RGBA16: { array: Uint16Array, channels: 4 },
  RGBA8: { array: Uint8Array, channels: 4 },
  RGBA32F: { array: Float32Array, channels: 4 },
  RGBA16F: { array: Uint16Array, channels: 4 },
  RGBA32UI: { array: Uint32Array, channels: 4 },
  RG32UI: { array: Uint32Array, channels: 2 },
  RGB10_A2UI: { array: Uint32Array, channels: 1 },
};

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function floatsOf(base64) {
  return new Float32Array(bytesOf(base64).buffer);
}

/** The side of a texture that every WebGL 2 can have is 2,048; nearly all have 4,096. */
export const SAFE_SIDE = 4096;

/** Columns and rows of a target that has `texels` texels per actor and room for `actors`. */
export function targetShape(texels, actors, side = SAFE_SIDE) {
  const columns = Math.floor(side / texels);
  const rows = Math.max(1, Math.ceil(actors / Math.max(columns, 1)));
  if (columns < 1 || rows > side) {
    throw new RangeError(`A texture of ${side} by ${side} texels has no room for ${actors} actors of ${texels}`);
  }
  // Square as far as that goes: fewer columns, more rows.
  const high = Math.min(side, Math.max(rows, Math.min(actors, 1024)));
  return { columns: Math.ceil(actors / high), rows: high };
}

export class CrowdData {
  /** @param manifest the value of NAME.crowd.json. @param texels an ArrayBuffer with NAME.atlas.raw. */
  constructor(manifest, texels) {
    if (manifest.format !== 'crowdkiln-crowd' || manifest.version !== 1) {
      throw new TypeError('This is no NAME.crowd.json of this version of crowd.js; take all files of one export');
    }
    const { width, height, format } = manifest.texture;
    const { array, channels } = TEXELS[format];
    const wanted = width * height * channels * array.BYTES_PER_ELEMENT;
    if (texels.byteLength !== wanted) {
      throw new RangeError(
        `${manifest.name}: the texels have ${texels.byteLength} bytes instead of ${wanted}; take all files of one export`,
      );
    }
    this.name = manifest.name;
    this.manifest = manifest;
    /** [{ name, seconds, loop, frames, bounds, groundSpeed }] */
    this.clips = manifest.clips;
    this.joints = manifest.joints;
    this.shaders = manifest.shaders;
    this.bounds = manifest.bounds;
    this.error = manifest.error;
    this.atlas = { width, height, format, data: new array(texels) };
    this.table = { ...manifest.table, data: floatsOf(manifest.table.data) };
    this.morphs = manifest.morphs ? morphTexture(manifest) : null;
    for (const clip of this.clips) {
      if (!LOOP_MODES.includes(clip.loop)) throw new TypeError(`The clip ${clip.name} has no known loop mode`);
    }
  }

  /** The number of a clip from its name or its number. */
  clipIndex(clip) {
    const index = typeof clip === 'number' ? clip : this.clips.findIndex((one) => one.name === clip);
    if (!this.clips[index]) {
      throw new RangeError(`There is no clip "${clip}"; clips: ${this.clips.map((one) => one.name).join(', ')}`);
    }
    return index;
  }
}

/** The weights of all morphs at all frames, four to a texel, frame after frame. */
function morphTexture(manifest) {
  // Exports of earlier versions have 8 weights of 8 bits.
  const { names, defaults, meshes, clips, slotsPerFrame = 8, bitsPerWeight = 8 } = manifest.morphs;
  const most = 2 ** bitsPerWeight - 1;
  const columns = Math.ceil(names.length / 4);
  const frames = manifest.clips.reduce((most, clip) => Math.max(most, clip.firstFrame + clip.frames), 0);
  const width = columns * Math.max(1, Math.floor(2048 / columns));
  const height = Math.ceil((frames * columns) / width);
  const data = new Float32Array(4 * width * height);
  clips.forEach(({ slots, weights }, c) => {
    const numbers = bitsPerWeight === 8 ? bytesOf(weights) : new Uint16Array(bytesOf(weights).buffer);
    const { firstFrame, frames: count } = manifest.clips[c];
    for (let f = 0; f < count; ++f) {
      const at = (firstFrame + f) * columns * 4;
      data.set(defaults, at);
      slots.forEach(({ morph, low, size }, s) => {
        data[at + morph] = low + (size * numbers[f * slotsPerFrame + s]) / most;
      });
    }
  });
  return { names, columns, meshes, width, height, data };
}
