// Plays a crowd that Crowdkiln exported for Babylon.js: one draw call a mesh, posed on the GPU by
// Babylon's own BakedVertexAnimationManager. Works with the module @babylonjs/core (9 or newer, with
// @babylonjs/loaders/glTF) and with the global BABYLON of a script tag; pass either as `engine`.
//
//   const crowd = await loadCrowd(BABYLON, scene, 'soldier.babylon/', 'soldier', { count: 100 });
//   crowd.place(0, 1.5, 0, -2, Math.PI);
//   crowd.play(0, 'Walk', { phase: 0.25, rate: 1.1 });
//   scene.onBeforeRenderObservable.add(() => crowd.update(engine.getDeltaTime() / 1000));
//
// Lengths are in metres, Y is up, actors face +Z, and positions are right-handed, as in glTF. Set
// scene.useRightHandedSystem, or the root node of the mesh mirrors the whole crowd along Z.

const attribute = 'bakedVertexAnimationSettingsInstanced';

/** Seconds after which times are counted anew, because the GPU counts them in 32-bit floats. */
const longest = 300;

/** Share of a row that rounding on the GPU may cost: the first row must not become the last one. */
const rounding = 0.01;

const fraction = (x) => x - Math.floor(x);

/**
 * The four numbers that Babylon's shader takes for an actor: first row, last row, offset in rows and
 * rows a second. They hold while `clock`, the time of the manager, has left the clip's first pass: in
 * its first pass Babylon counts one row more. `phase` is the share of the cycle at clock 0.
 */
export function settingsFor(clip, phase, rate = 1) {
  const parts = clip.to - clip.from;
  return [clip.from, clip.to, fraction(phase) * parts + rounding, clip.framesPerSecond * rate];
}

/** The settings that hold a clip at its last row at any time. */
export function settingsAtEnd(clip) {
  return [clip.from, clip.to, clip.to - clip.from, 0];
}

/**
 * The texture of skin matrices. Babylon's own loader shapes it by the number of bones in the scene
 * and never reads `width` and `height` of the file; a wrong number would shear all poses silently.
 */
export function matrixTexture(engine, scene, vat) {
  const binary = atob(vat.vertexData);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  const texels = new Float32Array(bytes.buffer);
  if (texels.length !== vat.width * vat.height * 4) {
    throw new Error(`The texture has ${texels.length} numbers instead of ${vat.width} x ${vat.height} x 4`);
  }
  const size = scene.getEngine().getCaps().maxTextureSize;
  if (vat.width > size || vat.height > size) {
    throw new Error(`This device holds ${size} texels a side, and the texture has ${vat.width} x ${vat.height}`);
  }
  const { RawTexture, Texture, Constants } = engine;
  return RawTexture.CreateRGBATexture(
    texels, vat.width, vat.height, scene, false, false, Texture.NEAREST_NEAREST, Constants.TEXTURETYPE_FLOAT);
}

async function fetched(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.json();
}

/** Loads NAME.crowd.json, NAME.vat.json and NAME.glb of a folder. */
export async function loadCrowd(engine, scene, folder, name, { count = 1 } = {}) {
  const base = folder.endsWith('/') || folder === '' ? folder : `${folder}/`;
  const info = await fetched(`${base}${encodeURIComponent(name)}.crowd.json`);
  const [vat, container] = await Promise.all([
    fetched(base + encodeURIComponent(info.texture)),
    engine.LoadAssetContainerAsync(base + encodeURIComponent(info.mesh), scene),
  ]);
  const bones = container.skeletons[0]?.bones.length;
  if (bones !== info.bones || vat.width !== (bones + 1) * 4) {
    throw new Error(`Babylon made ${bones} bones of ${info.mesh}, and the texture has ${info.bones}; ` +
      'use the mesh that was exported with it');
  }
  container.addAllToScene();
  return new Crowd(engine, scene, info, container, matrixTexture(engine, scene, vat), count);
}

export class Crowd {
  /** Use loadCrowd(). */
  constructor(engine, scene, info, container, texture, count) {
    this.engine = engine;
    this.clips = info.clips; // [{ name, seconds, loop, from, to, ... }]
    this.container = container;
    this.meshes = container.meshes.filter((mesh) => mesh.skeleton);
    this.manager = new engine.BakedVertexAnimationManager(scene);
    this.manager.texture = texture;
    for (const mesh of this.meshes) {
      mesh.bakedVertexAnimationManager = this.manager;
      // Babylon knows the box of the bind pose only; setBox() states that of all clips.
      mesh.doNotSyncBoundingInfo = true;
    }
    this.seconds = 0;
    this.warmUp = 0; // added to all times, so that every clip is past its first pass
    this.setCount(count);
  }

  /** Sets the number of actors. New ones stand at the origin and play the first clip. */
  setCount(count) {
    const old = this.matrices;
    this.count = count;
    this.matrices = new Float32Array(16 * count);
    this.settings = new Float32Array(4 * count);
    this.actors = Array.from({ length: count }, (_, i) => this.actors?.[i]);
    this.finishing = new Set();
    for (let i = 0; i < count; ++i) {
      if (old && 16 * i < old.length) this.matrices.set(old.subarray(16 * i, 16 * i + 16), 16 * i);
      else this.place(i, 0, 0, 0);
      this.actors[i] ??= { clip: this.clips[0], phase: 0, rate: 1 };
      if (this.actors[i].clip.loop === 'once') this.finishing.add(i);
    }
    for (const mesh of this.meshes) {
      mesh.thinInstanceSetBuffer('matrix', this.matrices, 16, false);
      mesh.thinInstanceSetBuffer(attribute, this.settings, 4, false);
    }
    this.write();
    this.setBox(); // for who never calls update()
    this.moved = true;
  }

  /** Places an actor on the ground: turned about Y by `angle` radians, `scale` times as large. */
  place(index, x, y, z, angle = 0, scale = 1) {
    const c = Math.cos(angle) * scale;
    const s = Math.sin(angle) * scale;
    this.setMatrix(index, [c, 0, -s, 0, 0, scale, 0, 0, s, 0, c, 0, x, y, z, 1]);
  }

  /** Places an actor by 16 numbers: the columns of a matrix that multiplies column vectors. */
  setMatrix(index, matrix) {
    this.matrices.set(matrix, 16 * index);
    this.moved = true;
  }

  /** The clip of that name or number. */
  clip(which) {
    const clip = typeof which === 'number' ? this.clips[which] : this.clips.find(({ name }) => name === which);
    if (!clip) throw new Error(`There is no clip ${which}; clips: ${this.clips.map(({ name }) => name).join(', ')}`);
    return clip;
  }

  /**
   * Lets an actor play a clip from now on. `phase` in [0, 1) is where in its cycle it starts, `rate`
   * > 0 how fast. Clips that play once stay at their end.
   */
  play(index, which, { phase = 0, rate = 1 } = {}) {
    const clip = this.clip(which);
    const passed = clip.seconds > 0 ? (this.seconds * rate) / clip.seconds : 0;
    this.actors[index] = { clip, phase: phase - passed, rate };
    if (clip.loop === 'once') this.finishing.add(index);
    else this.finishing.delete(index);
    const pass = clip.seconds / rate;
    if (pass >= this.warmUp) {
      this.warmUp = pass * 1.001;
      this.write();
    } else {
      this.writeActor(index);
    }
  }

  /** Advances all actors by some seconds; call it once a frame. */
  update(seconds) {
    this.seconds += seconds;
    if (this.seconds > longest) this.restart();
    for (const index of this.finishing) {
      const { clip, phase, rate } = this.actors[index];
      const left = 1 - phase - (this.seconds * rate) / clip.seconds;
      if (clip.seconds > 0 && left * (clip.to - clip.from) > 2 * rounding) continue;
      this.settings.set(settingsAtEnd(clip), 4 * index);
      this.finishing.delete(index);
      this.actors[index].ended = true;
      this.changed = true;
    }
    this.manager.time = this.seconds + this.warmUp;
    if (this.changed) for (const mesh of this.meshes) mesh.thinInstanceBufferUpdated(attribute);
    if (this.moved) {
      for (const mesh of this.meshes) mesh.thinInstanceBufferUpdated('matrix');
      this.setBox();
    }
    this.changed = false;
    this.moved = false;
  }

  /** Counts times from 0 again without a change of any pose. */
  restart() {
    for (const actor of this.actors) {
      const { clip, rate } = actor;
      if (clip.seconds > 0) actor.phase += (this.seconds * rate) / clip.seconds;
      if (clip.loop !== 'once') actor.phase = fraction(actor.phase);
    }
    this.seconds = 0;
    this.write();
  }

  write() {
    for (const { clip, rate } of this.actors) this.warmUp = Math.max(this.warmUp, (clip.seconds / rate) * 1.001);
    for (let i = 0; i < this.count; ++i) this.writeActor(i);
  }

  writeActor(index) {
    const { clip, phase, rate, ended } = this.actors[index];
    const early = clip.seconds > 0 ? (this.warmUp * rate) / clip.seconds : 0;
    const settings = ended ? settingsAtEnd(clip) : settingsFor(clip, phase - early, rate);
    this.settings.set(settings, 4 * index);
    this.changed = true;
  }

  /** The box around all actors in all their clips, for culling. */
  setBox() {
    const { BoundingInfo, Vector3 } = this.engine;
    let reach = 0;
    for (const { min, max } of this.clips) {
      reach = Math.max(reach, Math.hypot(...min.map((low, i) => Math.max(Math.abs(low), Math.abs(max[i])))));
    }
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < this.count; ++i) {
      const m = this.matrices.subarray(16 * i, 16 * i + 16);
      const scale = Math.max(Math.hypot(m[0], m[1], m[2]), Math.hypot(m[4], m[5], m[6]), Math.hypot(m[8], m[9], m[10]));
      for (let axis = 0; axis < 3; ++axis) {
        low[axis] = Math.min(low[axis], m[12 + axis] - reach * scale);
        high[axis] = Math.max(high[axis], m[12 + axis] + reach * scale);
      }
    }
    for (const mesh of this.meshes) {
      mesh.computeWorldMatrix(true);
      mesh.setBoundingInfo(new BoundingInfo(Vector3.FromArray(low), Vector3.FromArray(high), mesh.getWorldMatrix()));
    }
  }

  dispose() {
    this.manager.dispose(true);
    this.container.dispose();
  }
}
