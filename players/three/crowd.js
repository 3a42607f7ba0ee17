// Plays a baked crowd with three.js (WebGLRenderer). See README.md beside this file.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { ActorRecords } from '../core/actors.js';
import { CrowdData, targetShape } from '../core/crowd_set.js';
import { ImpostorData, impostorFragmentText, impostorVertexText, isFar } from '../core/impostors.js';
import { morphPassText, morphWeightText, skinText } from '../core/passes.js';

const FORMATS = {
  RGBA16: [THREE.RGBAIntegerFormat, THREE.UnsignedShortType, 'RGBA16UI'],
  RGBA8: [THREE.RGBAIntegerFormat, THREE.UnsignedByteType, 'RGBA8UI'],
  RGBA32F: [THREE.RGBAFormat, THREE.FloatType, 'RGBA32F'],
  RGBA16F: [THREE.RGBAFormat, THREE.HalfFloatType, 'RGBA16F'],
  RGBA32UI: [THREE.RGBAIntegerFormat, THREE.UnsignedIntType, 'RGBA32UI'],
  RG32UI: [THREE.RGIntegerFormat, THREE.UnsignedIntType, 'RG32UI'],
  // Taken apart by the shader.
  RGB10_A2UI: [THREE.RedIntegerFormat, THREE.UnsignedIntType, 'R32UI'],
  R32F: [THREE.RedFormat, THREE.FloatType, 'R32F'],
};

function dataTexture({ width, height, data }, [format, type, internalFormat] = FORMATS.RGBA32F) {
  const texture = new THREE.DataTexture(data, width, height, format, type);
  texture.internalFormat = internalFormat;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

/** Floats, `wide` to a texel, in rows of at most 2,048 texels. */
function listTexture(floats, wide, format) {
  const texels = Math.max(1, floats.length / wide);
  const width = Math.min(2048, texels);
  const height = Math.ceil(texels / width);
  const data = new Float32Array(wide * width * height);
  data.set(floats);
  return dataTexture({ width, height, data }, format);
}

/** A layer of impostors with its levels of detail. */
function levelTexture(levels, layer) {
  const texture = new THREE.DataTexture(levels[0][layer], levels[0].width, levels[0].height);
  texture.mipmaps = levels.map(({ width, height, [layer]: data }) => ({ width, height, data }));
  texture.minFilter = THREE.NearestMipmapNearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** An exported set: texels, clips and the figure, shared by any number of crowds. */
export class CrowdSet {
  constructor(data, gltf, impostors = null) {
    this.data = data;
    this.name = data.name;
    this.clips = data.clips;
    this.error = data.error;
    this.atlasTexture = dataTexture(data.atlas, FORMATS[data.atlas.format]);
    this.tableTexture = dataTexture(data.table);
    this.morphTexture = data.morphs ? dataTexture(data.morphs) : null;
    /** Pictures of far actors, where the export has them. */
    this.impostors = impostors;
    this.impostorTextures = impostors
      ? {
          ckImpostorFacts: { value: listTexture(impostors.facts, 4) },
          ckImpostorColor: { value: levelTexture(impostors.levels, 'color') },
          ckImpostorForm: { value: levelTexture(impostors.levels, 'form') },
          ckRings: { value: [0, 4, 8, 12].map((at) => new THREE.Vector4().fromArray(impostors.rings, at)) },
        }
      : {};
    /** Box of the figure over all clips, model space, metres. */
    this.bounds = new THREE.Box3(new THREE.Vector3(...data.bounds.low), new THREE.Vector3(...data.bounds.high));
    /** [{ geometry, material, mesh }]: one per primitive of the GLB; `mesh` counts its meshes. */
    this.parts = [];
    gltf.scene.traverse((object) => {
      if (!object.isMesh) return;
      const mesh = gltf.parser.associations.get(object)?.meshes ?? 0;
      object.geometry.boundingBox = this.bounds.clone();
      object.geometry.boundingSphere = this.bounds.getBoundingSphere(new THREE.Sphere());
      this.parts.push({ name: object.name, geometry: object.geometry, material: object.material, mesh });
    });
  }

  clipIndex(clip) {
    return this.data.clipIndex(clip);
  }

  dispose() {
    for (const texture of [this.atlasTexture, this.tableTexture, this.morphTexture]) texture?.dispose();
    for (const { value } of Object.values(this.impostorTextures)) if (value.isTexture) value.dispose();
    for (const { geometry, material } of this.parts) {
      geometry.dispose();
      material.map?.dispose();
      material.normalMap?.dispose();
      material.dispose();
    }
  }
}

/**
 * Loads NAME.crowd.json and the files that it names, which lie beside it: the mesh, the texels and, where the export
 * has impostors, NAME.impostors.json with its two PNG.
 */
export async function loadCrowdSet(url) {
  const fetched = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
    return answer;
  };
  const bytesOf = async (address) => new Uint8Array(await (await fetched(address)).arrayBuffer());
  const base = new URL(url, globalThis.location?.href);
  const text = await (await fetched(base)).text();
  let manifest;
  try {
    manifest = JSON.parse(text);
  } catch (why) {
    // Servers of single pages answer with the page where a file is missing.
    throw new TypeError(`${base}: this is no NAME.crowd.json: ${why.message}`);
  }
  const [texels, gltf, impostors] = await Promise.all([
    fetched(new URL(manifest.files.texels, base)).then((answer) => answer.arrayBuffer()),
    new GLTFLoader().loadAsync(new URL(manifest.files.mesh, base).href),
    manifest.files.impostors ? loadImpostors(new URL(manifest.files.impostors, base)) : null,
  ]);
  return new CrowdSet(new CrowdData(manifest, texels), gltf, impostors);

  async function loadImpostors(address) {
    const about = await (await fetched(address)).json();
    const { color, form } = about.pictures;
    return ImpostorData.read(about, await bytesOf(new URL(color.name, address)), await bytesOf(new URL(form.name, address)));
  }
}

/** One triangle over a render target, drawn without touching what the renderer is set to. */
class Pass {
  constructor(fragmentShader, vertexShader, uniforms, columns, texels, rows, count) {
    this.target = new THREE.WebGLRenderTarget(columns * texels, rows, {
      count,
      type: THREE.FloatType,
      format: THREE.RGBAFormat,
      minFilter: THREE.NearestFilter,
      magFilter: THREE.NearestFilter,
      depthBuffer: false,
      generateMipmaps: false,
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(9), 3));
    const head = 'precision highp float;\nprecision highp int;\n';
    const material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: head + vertexShader,
      fragmentShader: head + fragmentShader,
      uniforms,
      blending: THREE.NoBlending,
      depthTest: false,
      depthWrite: false,
    });
    this.triangle = new THREE.Mesh(geometry, material);
    this.triangle.frustumCulled = false;
    this.camera = new THREE.Camera();
  }

  run(renderer) {
    const target = renderer.getRenderTarget();
    const face = renderer.getActiveCubeFace();
    const level = renderer.getActiveMipmapLevel();
    const { autoClear } = renderer;
    const xr = renderer.xr.enabled;
    const shadows = renderer.shadowMap.autoUpdate;
    renderer.xr.enabled = false;
    renderer.shadowMap.autoUpdate = false;
    renderer.autoClear = false;
    renderer.setRenderTarget(this.target);
    renderer.render(this.triangle, this.camera);
    renderer.setRenderTarget(target, face, level);
    renderer.autoClear = autoClear;
    renderer.shadowMap.autoUpdate = shadows;
    renderer.xr.enabled = xr;
  }

  dispose() {
    this.target.dispose();
    this.triangle.geometry.dispose();
    this.triangle.material.dispose();
  }
}

/** The material of impostors: as rough and metallic as the figure is in the mean, and without light where it is. */
function impostorMaterial(parts) {
  if (parts.every(({ material }) => material.isMeshBasicMaterial)) return new THREE.MeshBasicMaterial();
  const faces = parts.map(({ geometry }) => geometry.index?.count ?? geometry.attributes.position.count);
  const all = faces.reduce((sum, count) => sum + count, 0);
  const meanOf = (word, usual) =>
    parts.reduce((sum, { material }, i) => sum + ((material[word] ?? usual) * faces[i]) / all, 0);
  return new THREE.MeshStandardMaterial({ roughness: meanOf('roughness', 1), metalness: meanOf('metalness', 0) });
}

const IMPOSTOR_VARYINGS = `
varying vec2 vCkInCell;
flat varying vec3 vCkCell;
flat varying mat3 vCkTurned;
`;

function quadGeometry() {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0], 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1], 3));
  geometry.setIndex([0, 1, 2, 2, 1, 3]);
  return geometry;
}

const position = new THREE.Vector3();
const quaternion = new THREE.Quaternion();
const scale = new THREE.Vector3();
const matrix = new THREE.Matrix4();
const sphere = new THREE.Sphere();
const viewed = new THREE.Matrix4();
const UP = new THREE.Vector3(0, 1, 0);

function vectorOf(value, into, fallback) {
  if (value === undefined) return into.setScalar(fallback);
  if (typeof value === 'number') return into.setScalar(value);
  return Array.isArray(value) ? into.fromArray(value) : into.copy(value);
}

// The words that addActor(), setAt() and play() take. A misspelt word is an error, because it would do nothing.
const ACTOR_WORDS = ['clip', 'offset', 'rate', 'loop', 'position', 'rotation', 'yaw', 'scale', 'color'];
const PLAY_WORDS = ['offset', 'rate', 'loop', 'fade'];

function checked(given, words, what) {
  for (const word of Object.keys(given)) {
    if (!words.includes(word)) throw new TypeError(`${what} takes no "${word}"; it takes ${words.join(', ')}`);
  }
  for (const word of ['offset', 'rate', 'yaw', 'fade', 'position', 'rotation', 'scale']) {
    const value = given[word];
    if (value === undefined) continue;
    const numbers = value.toArray?.() ?? [value].flat();
    if (!numbers.every(Number.isFinite)) throw new TypeError(`${what}: "${word}" has what is no number: ${numbers}`);
  }
}

const READINGS = ['palette', 'direct'];
const patchedMaterials = new WeakSet();
let crowds = 0;

/** Actors of one set: one instanced mesh per mesh of the figure, all posed from the atlas. */
export class Crowd extends THREE.Group {
  constructor(set, { capacity = 1000, reading = 'palette', castShadow = true, receiveShadow = true, impostorPixels } = {}) {
    super();
    if (!READINGS.includes(reading)) {
      throw new TypeError(`There is no reading "${reading}"; readings: ${READINGS.join(', ')}`);
    }
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError(`The capacity is ${capacity}; it is the largest number of actors, at least 1`);
    }
    this.name = `crowd of ${set.name}`;
    this.set = set;
    this.capacity = capacity;
    this.records = new ActorRecords(set.data.clips, capacity);
    this.seconds = 0;
    this.origin = null;
    /** 'palette', or 'direct' where the machine cannot draw into textures of floats (see update()). */
    this.reading = reading;
    this.shape = targetShape(set.data.joints, capacity);
    this.actorTexture = dataTexture({
      width: this.records.width,
      height: this.records.height,
      data: this.records.texels,
    });
    this.uniforms = {
      ckAtlas: { value: set.atlasTexture },
      ckTable: { value: set.tableTexture },
      ckActors: { value: this.actorTexture },
      ckMorphFrames: { value: set.morphTexture },
      ckSeconds: { value: 0 },
      ckActorCount: { value: 0 },
      ckPaletteRows: { value: this.shape.rows },
      ckPaletteX: { value: null },
      ckPaletteY: { value: null },
      ckPaletteZ: { value: null },
      ckMorphWeights: { value: null },
    };
    this.passes = [];
    this.key = `crowdkiln ${++crowds}`;
    this.matrices = new THREE.InstancedBufferAttribute(new Float32Array(16 * capacity), 16);
    this.matrices.setUsage(THREE.DynamicDrawUsage);
    this.colors = null;
    this.ids = [];
    this.slots = new Map();
    this.nextId = 0;
    this.whole = new THREE.Sphere();
    this.wholeIsOld = true;
    /** How high an actor is on the screen that is an impostor, at most, in pixels; 0: none. */
    this.impostorPixels = set.impostors ? (impostorPixels ?? set.impostors.usualPixels) : 0;
    /** How update() has had actors drawn last. */
    this.drawn = { meshes: 0, impostors: 0 };
    this.sorted = set.impostors ? this.makeSorted() : null;
    this.meshes = set.parts.map((part, number) => this.makeMesh(part, number, castShadow, receiveShadow));
    this.add(...this.meshes);
    this.impostors = set.impostors ? this.makeImpostors(receiveShadow) : null;
    if (this.impostors) this.add(this.impostors);
  }

  /** Actors in the order in which they are drawn: meshes first, then impostors, which have a list of their own. */
  makeSorted() {
    const attribute = () =>
      new THREE.InstancedBufferAttribute(new Float32Array(16 * this.capacity), 16).setUsage(THREE.DynamicDrawUsage);
    const order = listTexture(new Float32Array(this.capacity), 1, FORMATS.R32F);
    this.uniforms.ckOrder = { value: order };
    this.uniforms.ckFirst = { value: 0 };
    return { order, matrices: attribute(), impostorMatrices: attribute(), colors: null, impostorColors: null, near: -1, isOld: true };
  }

  makeImpostors(receiveShadow) {
    const { impostors, data } = this.set;
    const material = impostorMaterial(this.set.parts);
    material.side = THREE.DoubleSide; // what a picture shows has no other side
    this.impostorUniforms = {
      ...this.uniforms,
      ...this.set.impostorTextures,
      ckFirst: { value: 0 },
      ckScreen: { value: new THREE.Vector2(1, 1) },
    };
    const { common, atlas, actors } = data.shaders;
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.impostorUniforms);
      shader.vertexShader = shader.vertexShader
        .replace(
          '#include <common>',
          `#include <common>
${common}${atlas}${actors}${impostorVertexText(impostors, data.shaders)}${this.numberText()}${IMPOSTOR_VARYINGS}
uniform float ckSeconds;
uniform vec2 ckScreen;`,
        )
        .replace(
          '#include <project_vertex>',
          `vec3 ckBack = vec3(viewMatrix[0][2], viewMatrix[1][2], viewMatrix[2][2]);
  CkImpostor ckFar = ckImpostorOf(ckActorNumber(), ckSeconds, modelMatrix * instanceMatrix, projectionMatrix * viewMatrix,
    isOrthographic ? vec4(ckBack, 0.0) : vec4(cameraPosition, 1.0), ckScreen, position.xy);
  vCkInCell = ckFar.inCell;
  vCkCell = ckFar.cell;
  vCkTurned = ckFar.turned;
  // The corner lies in the plane of the body's middle.
  vec4 mvPosition = viewMatrix * vec4(ckFar.world, 1.0);
  mvPosition.xy += ckFar.off * ckFar.clip.w / vec2(projectionMatrix[0][0], projectionMatrix[1][1]);
  gl_Position = projectionMatrix * mvPosition;`,
        )
        .replace('#include <worldpos_vertex>', 'vec4 worldPosition = inverse(viewMatrix) * mvPosition;');
      const dyed = this.set.parts.some((part) => part.material.userData.tintMask);
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>
${impostorFragmentText(impostors)}${IMPOSTOR_VARYINGS}`)
        .replace(
          '#include <map_fragment>',
          `vec4 ckPaint;
  vec4 ckForm;
  if (!ckImpostorPixel(vCkInCell, vCkCell, ckPaint, ckForm)) discard;
  diffuseColor.rgb = ckPaint.rgb;`,
        )
        .replace(
          '#include <color_fragment>',
          `#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
  diffuseColor.rgb *= ${dyed ? 'mix(vec3(1.0), vColor.rgb, ckPaint.a)' : 'vColor.rgb'};
#endif`,
        )
        .replace(
          '#include <normal_fragment_maps>',
          'normal = normalize((viewMatrix * vec4(vCkTurned * ckForm.xyz, 0.0)).xyz);',
        );
    };
    material.customProgramCacheKey = () => `${this.key} impostors`;
    const mesh = new THREE.InstancedMesh(quadGeometry(), material, 0);
    mesh.name = 'impostors';
    mesh.instanceMatrix = this.sorted.impostorMatrices;
    mesh.boundingSphere = this.whole;
    mesh.receiveShadow = receiveShadow;
    return mesh;
  }

  /** The number of the actor that an instance is, for vertex shaders. */
  numberText() {
    if (!this.sorted) return 'int ckActorNumber() { return gl_InstanceID; }\n';
    return `
uniform highp sampler2D ckOrder;
uniform int ckFirst;
int ckActorNumber() {
  int at = ckFirst + gl_InstanceID;
  int width = textureSize(ckOrder, 0).x;
  return int(texelFetch(ckOrder, ivec2(at % width, at / width), 0).x);
}
`;
  }

  /** Sorts actors into meshes and impostors for a camera; without one all are meshes. */
  choose(renderer, camera) {
    const { sorted, records } = this;
    const pixels = camera ? this.impostorPixels : 0;
    const far = [];
    const near = [];
    if (pixels > 0) {
      this.updateWorldMatrix(true, false);
      camera.updateWorldMatrix(true, false);
      viewed.copy(camera.matrixWorld).invert().premultiply(camera.projectionMatrix).multiply(this.matrixWorld);
      renderer.getDrawingBufferSize(this.impostorUniforms.ckScreen.value);
      const perPixel = 0.5 * this.impostorUniforms.ckScreen.value.y * camera.projectionMatrix.elements[5];
      const view = {
        worldToClip: viewed.elements,
        perPixel,
        bodyHeight: this.set.impostors.bodyHeight,
        limit: pixels,
        scale: this.matrixWorld.getMaxScaleOnAxis(),
      };
      for (let slot = 0; slot < records.count; ++slot) {
        const own = matrix.fromArray(this.matrices.array, slot * 16);
        const [, , , , a, b, c, , , , , , x, y, z] = own.elements;
        // A scale of 0 along any axis leaves nothing to turn a picture by.
        (own.determinant() !== 0 && isFar(view, x, y, z, a, b, c) ? far : near).push(slot);
      }
    } else {
      for (let slot = 0; slot < records.count; ++slot) near.push(slot);
    }
    this.drawn = { meshes: near.length, impostors: far.length };
    for (const mesh of this.meshes) mesh.count = near.length;
    this.impostors.count = far.length;
    this.impostors.visible = far.length > 0;
    this.impostorUniforms.ckFirst.value = near.length;
    const order = sorted.order.image.data;
    const isSame =
      sorted.near === near.length &&
      near.every((slot, i) => order[i] === slot) &&
      far.every((slot, i) => order[near.length + i] === slot);
    if (isSame && !sorted.isOld) return;
    sorted.near = near.length;
    sorted.isOld = false;
    near.concat(far).forEach((slot, i) => {
      order[i] = slot;
      sorted.matrices.array.set(this.matrices.array.subarray(slot * 16, slot * 16 + 16), i * 16);
      if (this.colors) sorted.colors.array.set(this.colors.array.subarray(slot * 3, slot * 3 + 3), i * 3);
    });
    far.forEach((slot, i) => {
      sorted.impostorMatrices.array.set(this.matrices.array.subarray(slot * 16, slot * 16 + 16), i * 16);
      if (this.colors) sorted.impostorColors.array.set(this.colors.array.subarray(slot * 3, slot * 3 + 3), i * 3);
    });
    for (const changed of [sorted.order, sorted.matrices, sorted.impostorMatrices, sorted.colors, sorted.impostorColors]) {
      if (changed) changed.needsUpdate = true;
    }
  }

  /** The number of actors. */
  get count() {
    return this.records.count;
  }

  makeMesh(part, number, castShadow, receiveShadow) {
    const mesh = new THREE.InstancedMesh(part.geometry, this.patched(part.material.clone(), part, number), 0);
    mesh.name = part.name;
    // InstancedMesh leaves this out, because its morphs come from a texture of its own.
    THREE.Mesh.prototype.updateMorphTargets.call(mesh);
    mesh.instanceMatrix = this.sorted?.matrices ?? this.matrices;
    // Impostors cast the shadows of their meshes, which stand behind the near ones.
    mesh.onBeforeShadow = () => {
      mesh.count = this.records.count;
    };
    mesh.onAfterShadow = () => {
      mesh.count = this.impostors ? this.drawn.meshes : this.records.count;
    };
    mesh.boundingSphere = this.whole;
    mesh.castShadow = castShadow;
    mesh.receiveShadow = receiveShadow;
    mesh.customDepthMaterial = this.patched(new THREE.MeshDepthMaterial(), part, number);
    mesh.customDistanceMaterial = this.patched(new THREE.MeshDistanceMaterial(), part, number);
    return mesh;
  }

  /** Lets a material of three.js skin its vertices from the atlas. Works for every built-in material. */
  patched(material, part, number) {
    const { data } = this.set;
    patchedMaterials.add(material);
    const targets = data.morphs?.meshes[part.mesh] ?? [];
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      const pars = [
        'attribute vec4 skinIndex;\nattribute vec4 skinWeight;',
        this.numberText(),
        skinText(data.shaders, this.reading),
        targets.length ? morphWeightText(data.morphs.columns, this.reading) : '',
      ].join('\n');
      const weigh = targets.length
        ? `#ifdef USE_MORPHTARGETS
  const int ckMorphOf[${targets.length}] = int[${targets.length}](${targets.join(', ')});
  float morphTargetInfluences[MORPHTARGETS_COUNT];
  for (int i = 0; i < MORPHTARGETS_COUNT; ++i) morphTargetInfluences[i] = ckMorphWeight(ckActorNumber(), ckMorphOf[i]);
#endif`
        : '';
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>\n${pars}`)
        .replace(
          'void main() {',
          'void main() {\n  CkMatrix ckSkin = ckSkinOfActor(ckActorNumber(), ivec4(skinIndex), skinWeight);',
        )
        .replace('#include <morphinstance_vertex>', weigh)
        .replace(
          '#include <skinnormal_vertex>',
          `objectNormal = ck_matrixNormal(ckSkin, objectNormal);
#ifdef USE_TANGENT
  objectTangent = vec3(dot(ckSkin.x.xyz, objectTangent), dot(ckSkin.y.xyz, objectTangent), dot(ckSkin.z.xyz, objectTangent));
#endif`,
        )
        .replace('#include <skinning_vertex>', 'transformed = ck_matrixPoint(ckSkin, transformed);');
      if (material.userData.tintMask) {
        // The alpha of the picture says where an actor's colour applies.
        shader.fragmentShader = shader.fragmentShader.replace(
          '#include <color_fragment>',
          `#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
  diffuseColor.rgb *= mix(vec3(1.0), vColor.rgb, diffuseColor.a);
#endif
diffuseColor.a = 1.0;`,
        );
      }
    };
    material.customProgramCacheKey = () => `${this.key} ${number} ${this.reading} ${material.type}`;
    return material;
  }

  /**
   * Adds an actor and returns its id, which stays the same until it is removed.
   * `at`: position, rotation (quaternion) or yaw (radians), scale, color, clip, offset, rate, loop.
   */
  addActor(at = {}) {
    checked(at, ACTOR_WORDS, 'addActor()');
    const slot = this.records.add(this.set.clipIndex(at.clip ?? 0), { ...at, seconds: this.seconds });
    const id = this.nextId++;
    this.ids[slot] = id;
    this.slots.set(id, slot);
    vectorOf(undefined, position, 0);
    quaternion.identity();
    vectorOf(undefined, scale, 1);
    matrix.compose(position, quaternion, scale).toArray(this.matrices.array, slot * 16);
    if (this.colors) this.colors.array.set([1, 1, 1], slot * 3);
    this.place(slot, at);
    for (const mesh of this.meshes) mesh.count = this.records.count;
    return id;
  }

  slotOf(id) {
    const slot = this.slots.get(id);
    if (slot === undefined) throw new RangeError(`There is no actor ${id}`);
    return slot;
  }

  /** Changes what is given of an actor: its place, color, or what it plays (see addActor()). */
  setAt(id, at) {
    checked(at, ACTOR_WORDS, 'setAt()');
    const slot = this.slotOf(id);
    this.place(slot, at);
    if (at.clip !== undefined || at.offset !== undefined || at.loop !== undefined) {
      const now = this.records.playing[slot].second ?? this.records.playing[slot].first;
      const clip = at.clip === undefined ? now.clip : this.set.clipIndex(at.clip);
      this.records.play(slot, clip, {
        offset: at.clip === undefined ? this.records.phaseAt(now, this.records.ownAt(slot, this.seconds)) : 0,
        rate: now.rate,
        ...at,
        seconds: this.seconds,
      });
    } else if (at.rate !== undefined) {
      this.records.setRate(slot, at.rate, this.seconds);
    }
  }

  /** Lets an actor play a clip: `offset` (clip lengths), `rate`, `loop`, `fade` (seconds to get there). */
  play(id, clip, options = {}) {
    checked(options, PLAY_WORDS, 'play()');
    this.records.play(this.slotOf(id), this.set.clipIndex(clip), { ...options, seconds: this.seconds });
  }

  /**
   * Tells an actor to 'play' on, 'pause', 'reverse', 'restart' or 'retrace' its way back to where it began, from now
   * on; fades are held and turned round, too.
   */
  command(id, action) {
    this.records.command(this.slotOf(id), action, this.seconds);
  }

  /** Takes an actor away. */
  removeActor(id) {
    const slot = this.slotOf(id);
    const last = this.records.count - 1;
    this.records.remove(slot);
    this.matrices.array.copyWithin(slot * 16, last * 16, last * 16 + 16);
    this.matrices.needsUpdate = true;
    if (this.colors) {
      this.colors.array.copyWithin(slot * 3, last * 3, last * 3 + 3);
      this.colors.needsUpdate = true;
    }
    if (this.sorted) this.sorted.isOld = true;
    this.slots.delete(id);
    if (slot < last) {
      this.ids[slot] = this.ids[last];
      this.slots.set(this.ids[slot], slot);
    }
    this.ids.length = last;
    this.wholeIsOld = true;
    for (const mesh of this.meshes) mesh.count = last;
  }

  place(slot, at) {
    if ([at.position, at.rotation, at.yaw, at.scale].some((given) => given !== undefined)) {
      matrix.fromArray(this.matrices.array, slot * 16).decompose(position, quaternion, scale);
      if (at.position !== undefined) vectorOf(at.position, position);
      if (at.rotation !== undefined) {
        Array.isArray(at.rotation) ? quaternion.fromArray(at.rotation) : quaternion.copy(at.rotation);
      } else if (at.yaw !== undefined) {
        quaternion.setFromAxisAngle(UP, at.yaw);
      }
      if (at.scale !== undefined) vectorOf(at.scale, scale);
      matrix.compose(position, quaternion, scale).toArray(this.matrices.array, slot * 16);
    }
    this.matrices.needsUpdate = true;
    this.wholeIsOld = true;
    if (this.sorted) this.sorted.isOld = true;
    if (at.color !== undefined) {
      if (!this.colors) this.makeColors();
      new THREE.Color(at.color).toArray(this.colors.array, slot * 3);
      this.colors.needsUpdate = true;
    }
  }

  makeColors() {
    const attribute = () => new THREE.InstancedBufferAttribute(new Float32Array(3 * this.capacity).fill(1), 3);
    this.colors = attribute();
    if (this.sorted) {
      this.sorted.colors = attribute();
      this.sorted.impostorColors = attribute();
      this.impostors.instanceColor = this.sorted.impostorColors;
    }
    for (const mesh of this.meshes) mesh.instanceColor = this.sorted?.colors ?? this.colors;
  }

  /** The sphere that an actor never leaves, whatever it plays, in the crowd's space. */
  boundsOf(id, into = new THREE.Sphere()) {
    return this.slotBounds(this.slotOf(id), into);
  }

  slotBounds(slot, into) {
    matrix.fromArray(this.matrices.array, slot * 16);
    return this.set.bounds.getBoundingSphere(into).applyMatrix4(matrix);
  }

  /**
   * Once a frame, before drawing: poses all actors for a time, in seconds of any clock. The crowd's time begins
   * with the first call, so that what was added while a page loaded starts then. With the camera that draws, far
   * actors are impostors.
   */
  update(renderer, seconds, camera) {
    if (!renderer?.isWebGLRenderer || !Number.isFinite(seconds)) {
      throw new TypeError('update() takes a WebGLRenderer and the time in seconds');
    }
    this.origin ??= seconds;
    this.seconds = seconds - this.origin;
    this.warnOfMaterials();
    if (this.reading === 'palette' && this.passes.length === 0) this.makePasses(renderer);
    if (this.sorted) this.choose(renderer, camera);
    else this.drawn = { meshes: this.records.count, impostors: 0 };
    this.uniforms.ckSeconds.value = this.records.prepare(this.seconds);
    this.uniforms.ckActorCount.value = this.records.count;
    if (this.records.changed) {
      this.actorTexture.needsUpdate = true;
      this.records.changed = false;
    }
    if (this.wholeIsOld) {
      this.whole.makeEmpty();
      for (let slot = 0; slot < this.records.count; ++slot) this.whole.union(this.slotBounds(slot, sphere));
      this.wholeIsOld = false;
    }
    if (this.records.count > 0) for (const pass of this.passes) pass.run(renderer);
  }

  warnOfMaterials() {
    for (const mesh of this.meshes) {
      if (patchedMaterials.has(mesh.material)) continue;
      patchedMaterials.add(mesh.material);
      console.warn(`crowdkiln: the material of ${mesh.name} stands still: give it to crowd.patched() first`);
    }
  }

  makePasses(renderer) {
    if (!renderer.extensions.has('EXT_color_buffer_float')) {
      this.reading = 'direct';
      console.info(
        `crowdkiln: this machine cannot draw into textures of floats, so ${this.set.name} is read joint by joint: ` +
          `off by up to ${this.set.error.directMm.toPrecision(2)} mm instead of ${this.set.error.paletteMm.toPrecision(2)} mm`,
      );
      for (const mesh of this.meshes) {
        for (const one of [mesh.material, mesh.customDepthMaterial, mesh.customDistanceMaterial]) one.needsUpdate = true;
      }
      return;
    }
    const { shaders, joints, morphs } = this.set.data;
    const vertex = shaders.fillVertex;
    const { common, atlas, actors, fill } = shaders;
    const { columns, rows } = this.shape;
    const palette = new Pass(common + atlas + actors + fill, vertex, this.uniforms, columns, joints, rows, 3);
    ['X', 'Y', 'Z'].forEach((row, i) => {
      this.uniforms[`ckPalette${row}`].value = palette.target.textures[i];
    });
    this.passes.push(palette);
    if (morphs) {
      const text = morphPassText(shaders, morphs.columns);
      const weights = new Pass(text, vertex, this.uniforms, columns, morphs.columns, rows, 1);
      this.uniforms.ckMorphWeights.value = weights.target.texture;
      this.passes.push(weights);
    }
  }

  /** Frees what is this crowd's own; the set stays. */
  dispose() {
    for (const pass of this.passes) pass.dispose();
    this.actorTexture.dispose();
    if (this.sorted) {
      this.sorted.order.dispose();
      this.impostors.geometry.dispose();
      this.impostors.material.dispose();
      this.impostors.dispose();
    }
    for (const mesh of this.meshes) {
      for (const one of [mesh.material, mesh.customDepthMaterial, mesh.customDistanceMaterial]) one.dispose();
      mesh.dispose();
    }
    this.removeFromParent();
  }
}
