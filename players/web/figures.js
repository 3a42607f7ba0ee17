// The crowd itself: passes that fill the palette and the weights of morphs, and the skinned meshes.
import { ActorRecords } from '../core/actors.js';
import { targetShape } from '../core/crowd_set.js';
import { impostorFragmentText, impostorVertexText, isFar } from '../core/impostors.js';
import { morphPassText, morphWeightText, skinText } from '../core/passes.js';
import { dataTexture, levelTexture, listTexture, program, target, use } from './gl.js';

const PLACE_FLOATS = 12; // position and scale, rotation, tint and the number of the actor

const vertexText = (data, reading, morphs) => `${skinText(data.shaders, reading)}
${morphs ? morphWeightText(data.morphs.columns, reading) : ''}
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aUv;
layout(location = 3) in uvec4 aJoints;
layout(location = 4) in vec4 aWeights;
layout(location = 5) in vec4 aPlace;
layout(location = 6) in vec4 aTurn;
layout(location = 7) in vec4 aTint;
layout(location = 8) in uvec2 aMoved;
layout(location = 9) in vec4 aColor;
layout(location = 10) in vec2 aSecondUv;
uniform mat4 ckViewProjection;
uniform sampler2D ckDeltas;
out vec3 vWorld;
out vec3 vNormal;
out vec4 vUvs;
out vec4 vColor;
flat out vec4 vTint;

vec4 ckDelta(uint i) {
  uint width = uint(textureSize(ckDeltas, 0).x);
  return texelFetch(ckDeltas, ivec2(i % width, i / width), 0);
}

void main() {
  vec3 position = aPosition;
  vec3 normal = aNormal;
${
  morphs
    ? `  for (uint i = aMoved.x; i < aMoved.x + aMoved.y; ++i) {
    vec4 delta = ckDelta(2u * i);
    float weight = ckMorphWeight(int(aTint.w), int(delta.w));
    position += weight * delta.xyz;
    normal += weight * ckDelta(2u * i + 1u).xyz;
  }`
    : ''
}
  CkMatrix skin = ckSkinOfActor(int(aTint.w), ivec4(aJoints), aWeights);
  vWorld = aPlace.xyz + ck_rotate(aTurn, aPlace.w * ck_matrixPoint(skin, position));
  vNormal = ck_rotate(aTurn, ck_matrixNormal(skin, normal));
  vUvs = vec4(aUv, aSecondUv);
  vColor = aColor;
  vTint = aTint;
  gl_Position = ckViewProjection * vec4(vWorld, 1.0);
}
`;

// As shaders/crowd/lit.frag: the tint's strength is 1 where a mask or no picture is, else weaker.
const fragmentText = (light) => `${light}
in vec3 vWorld;
in vec3 vNormal;
in vec4 vUvs;
in vec4 vColor;
flat in vec4 vTint;
uniform sampler2D ckImage;
uniform vec3 ckPlace;  // of the image: offset, set of texture coordinates
uniform vec4 ckTurn;   // of the image: columns of a matrix
uniform sampler2D ckGlowImage;
uniform vec3 ckGlowPlace;
uniform vec4 ckGlowTurn;
uniform vec4 ckColor;
uniform vec3 ckGlow;
uniform vec3 ckFacts;  // 1: has an image; 1: its alpha is a mask of tint; strength of the tint
uniform vec2 ckAlpha;  // 0: opaque. 1: shown from this alpha on. 2: shown below it, in part.
uniform float ckUnlit;
layout(location = 0) out vec4 oColor;

vec2 ckMapPlace(vec3 place, vec4 turn) {
  return place.xy + mat2(turn.xy, turn.zw) * (place.z > 0.5 ? vUvs.zw : vUvs.xy);
}

void main() {
  vec3 toEye = normalize(ckEye - vWorld);
  vec3 facet = cross(dFdx(vWorld), dFdy(vWorld));
  vec3 normal = dot(vNormal, vNormal) > 1e-24 ? vNormal : facet;
  float turned = dot(facet, toEye) * dot(normal, facet);
  normal *= (turned < 0.0 ? -1.0 : 1.0) * inversesqrt(dot(normal, normal) + 1e-36);
  vec4 color = ckColor * vColor;
  float tinted = ckFacts.z;
  vec4 texel = texture(ckImage, ckMapPlace(ckPlace, ckTurn));
  vec3 glow = ckGlow * texture(ckGlowImage, ckMapPlace(ckGlowPlace, ckGlowTurn)).rgb;
  if (ckFacts.x > 0.5) {
    color.rgb *= texel.rgb;
    if (ckFacts.y > 0.5) tinted *= texel.a; else color.a *= texel.a;
  }
  if (ckAlpha.x > 1.5 && (color.a >= ckAlpha.y || color.a < 1.0 / 512.0)) discard;
  if (ckAlpha.x > 0.5 && ckAlpha.x < 1.5 && color.a < ckAlpha.y) discard;
  color.rgb *= mix(vec3(1.0), vTint.rgb, tinted);
  CkLight light = ckLightFrom(vWorld, normal, toEye, 1.0);
  light.added += glow;
  light = ckSeenFrom(light, vWorld, 0.0, 0.0);
  vec3 screen = ckScreenCurve(color.rgb * light.taken + light.added);
  // As shaders/crowd/lit.frag: a surface without light has its colour on the screen, but for fog.
  vec3 coded = mix(12.92 * color.rgb, 1.055 * pow(max(color.rgb, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, color.rgb));
  coded = mix(coded, ckScreenCurve(ckAirColor(vWorld)), ckAirAmount(vWorld));
  oColor = vec4(mix(screen, coded, ckUnlit), ckAlpha.x > 1.5 ? color.a : 1.0);
}
`;

// An actor as a picture: a quad. Lit as the meshes are.
const impostorVertex = (data, impostors) => `${data.shaders.common}${data.shaders.atlas}${data.shaders.actors}
${impostorVertexText(impostors, data.shaders)}
layout(location = 5) in vec4 aPlace;
layout(location = 6) in vec4 aTurn;
layout(location = 7) in vec4 aTint;
uniform mat4 ckViewProjection;
uniform vec3 ckEye;
uniform vec2 ckScreen;
uniform float ckSeconds;
out vec2 vInCell;
flat out vec3 vCell;
flat out vec3 vMiddle;
flat out mat3 vPlaced;
flat out mat3 vTurned;
flat out vec4 vTint;
void main() {
  mat3 own = mat3(ck_rotate(aTurn, vec3(aPlace.w, 0.0, 0.0)), ck_rotate(aTurn, vec3(0.0, aPlace.w, 0.0)),
                  ck_rotate(aTurn, vec3(0.0, 0.0, aPlace.w)));
  mat4 place = mat4(vec4(own[0], 0.0), vec4(own[1], 0.0), vec4(own[2], 0.0), vec4(aPlace.xyz, 1.0));
  vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;
  CkImpostor far = ckImpostorOf(int(aTint.w), ckSeconds, place, ckViewProjection, vec4(ckEye, 1.0), ckScreen, corner);
  vInCell = far.inCell;
  vCell = far.cell;
  vMiddle = far.world;
  vPlaced = far.placed;
  vTurned = far.turned;
  vTint = aTint;
  gl_Position = far.clip + vec4(far.off * far.clip.w, 0.0, 0.0);
}
`;

const impostorFragment = (light, impostors) => `${light}
${impostorFragmentText(impostors)}
in vec2 vInCell;
flat in vec3 vCell;
flat in vec3 vMiddle;
flat in mat3 vPlaced;
flat in mat3 vTurned;
flat in vec4 vTint;
layout(location = 0) out vec4 oColor;
void main() {
  vec4 paint;
  vec4 form;
  if (!ckImpostorPixel(vInCell, vCell, paint, form)) discard;
  vec3 world = vMiddle + vPlaced * vec3(vInCell, form.w);
  CkLight light = ckLightFrom(world, vTurned * form.xyz, normalize(ckEye - world), 1.0);
  light = ckSeenFrom(light, world, 0.0, 0.0);
  vec3 color = paint.rgb * mix(vec3(1.0), vTint.rgb, paint.a);
  oColor = vec4(ckScreenCurve(color * light.taken + light.added), 1.0);
}
`;

// Which vertices a mesh's targets move, vertex after vertex: { starts: [first, count] per vertex, deltas }.
function movedVertices(mesh, morphOf, floats) {
  const starts = new Uint32Array((mesh.positions.length / 3) * 2);
  for (let v = 0; v * 3 < mesh.positions.length; ++v) {
    starts[v * 2] = floats.length / 8;
    mesh.targets.forEach((one, t) => {
      if (morphOf[t] < 0) return;
      const moved = [0, 1, 2].map((i) => one.positions[v * 3 + i]);
      const turned = [0, 1, 2].map((i) => one.normals?.[v * 3 + i] ?? 0);
      if (moved.every((d) => d === 0) && turned.every((d) => d === 0)) return;
      floats.push(...moved, morphOf[t], ...turned, 0);
      ++starts[v * 2 + 1];
    });
  }
  return starts;
}

// As in shaders/crowd/surface.glsl: from this alpha on a blended surface hides what is behind it.
const SOLID = 0.98;
const NO_MAP = { offset: [0, 0], set: 0, turn: [1, 0, 0, 1] };

function imageTexture(gl, bitmap, [wrapU, wrapV]) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrapU);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrapV);
  const sharp = gl.getExtension('EXT_texture_filter_anisotropic');
  if (sharp) gl.texParameterf(gl.TEXTURE_2D, sharp.TEXTURE_MAX_ANISOTROPY_EXT, 4);
  return texture;
}

export class Figures {
  /**
   * @param data CrowdData. @param glb from readGlb(). @param bitmaps its pictures, decoded.
   * @param light the text of surface_light.glsl. @param capacity actors at most. @param impostors ImpostorData or null.
   */
  constructor(gl, data, glb, bitmaps, light, capacity, impostors) {
    this.gl = gl;
    this.data = data;
    this.records = new ActorRecords(data.clips, capacity);
    this.reading = gl.getExtension('EXT_color_buffer_float') ? 'palette' : 'direct';
    const { atlas, table, shaders, morphs } = data;
    this.textures = {
      ckAtlas: dataTexture(gl, atlas.width, atlas.height, atlas.format, atlas.data),
      ckTable: dataTexture(gl, table.width, table.height, 'RGBA32F', table.data),
      ckActors: dataTexture(gl, this.records.width, this.records.height, 'RGBA32F', null),
    };
    if (morphs) this.textures.ckMorphFrames = dataTexture(gl, morphs.width, morphs.height, 'RGBA32F', morphs.data);
    this.passes = [];
    if (this.reading === 'palette') this.makePasses(capacity, shaders, morphs);
    this.seconds = 0;
    this.placeData = new Float32Array(PLACE_FLOATS * capacity);
    this.placeBuffer = gl.createBuffer();
    this.placesChanged = true;
    // Places of the actors that are drawn as meshes: all actors where there are no impostors.
    this.meshBuffer = impostors ? gl.createBuffer() : this.placeBuffer;
    this.makeMeshes(glb, bitmaps, light);
    this.places = gl.createVertexArray();
    gl.bindVertexArray(this.places);
    this.attachPlaces(this.placeBuffer);
    this.impostors = impostors;
    /** How high an actor is on the screen that is an impostor, at most. */
    this.impostorPixels = 0;
    this.drawn = { meshes: 0, impostors: 0 };
    if (impostors) this.makeImpostors(light, capacity);
  }

  makeImpostors(light, capacity) {
    const { gl, impostors } = this;
    this.impostorPixels = impostors.usualPixels;
    this.impostorProgram = program(gl, impostorVertex(this.data, impostors), impostorFragment(light, impostors));
    this.impostorTextures = {
      ckImpostorFacts: listTexture(gl, impostors.facts),
      ckImpostorColor: levelTexture(gl, impostors.levels, 'color'),
      ckImpostorForm: levelTexture(gl, impostors.levels, 'form'),
    };
    this.meshPlaces = new Float32Array(PLACE_FLOATS * capacity);
    this.impostorPlaces = new Float32Array(PLACE_FLOATS * capacity);
    this.impostorBuffer = gl.createBuffer();
    this.impostorVertices = gl.createVertexArray();
    gl.bindVertexArray(this.impostorVertices);
    this.attachPlaces(this.impostorBuffer);
  }

  /** Sorts actors into meshes and impostors, by how high they are on the screen of a view. */
  choose(view, height) {
    if (!this.impostors) {
      this.drawn = { meshes: this.count, impostors: 0 };
      return;
    }
    const { gl, placeData } = this;
    const drawn = { meshes: 0, impostors: 0 };
    const seen = {
      worldToClip: view.worldToClip,
      perPixel: view.pixelsAtMeter * height,
      bodyHeight: this.impostors.bodyHeight,
      limit: this.impostorPixels,
      scale: 1,
    };
    for (let actor = 0; actor < this.count; ++actor) {
      const from = actor * PLACE_FLOATS;
      const [x, y, z, scale] = placeData.subarray(from, from + 4);
      const far = isFar(seen, x, y, z, 0, scale, 0);
      const to = (far ? drawn.impostors++ : drawn.meshes++) * PLACE_FLOATS;
      (far ? this.impostorPlaces : this.meshPlaces).set(placeData.subarray(from, from + PLACE_FLOATS), to);
    }
    for (const [buffer, places, count] of [
      [this.meshBuffer, this.meshPlaces, drawn.meshes],
      [this.impostorBuffer, this.impostorPlaces, drawn.impostors],
    ]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, places.subarray(0, count * PLACE_FLOATS), gl.DYNAMIC_DRAW);
    }
    this.drawn = drawn;
  }

  drawImpostors(view, stage) {
    if (this.drawn.impostors === 0) return;
    const { gl, impostorProgram: how } = this;
    use(gl, how, { ...this.textures, ...this.impostorTextures });
    stage.look(how, view);
    gl.uniform1f(how.at.ckSeconds, this.seconds);
    gl.uniform2f(how.at.ckScreen, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform4fv(how.at['ckRings[0]'], this.impostors.rings);
    gl.bindVertexArray(this.impostorVertices);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.drawn.impostors);
  }

  get count() {
    return this.records.count;
  }

  makePasses(capacity, shaders, morphs) {
    const { gl } = this;
    const { columns, rows } = targetShape(this.data.joints, capacity, gl.getParameter(gl.MAX_TEXTURE_SIZE));
    const { common, atlas, actors, fill } = shaders;
    const palette = target(gl, columns * this.data.joints, rows, 3);
    ['X', 'Y', 'Z'].forEach((row, i) => {
      this.textures[`ckPalette${row}`] = palette.textures[i];
    });
    this.passes.push({ into: palette, how: program(gl, shaders.fillVertex, common + atlas + actors + fill) });
    if (!morphs) return;
    const weights = target(gl, columns * morphs.columns, rows, 1);
    [this.textures.ckMorphWeights] = weights.textures;
    this.passes.push({ into: weights, how: program(gl, shaders.fillVertex, morphPassText(shaders, morphs.columns)) });
  }

  attachPlaces(buffer) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    for (let i = 0; i < 3; ++i) {
      gl.enableVertexAttribArray(5 + i);
      gl.vertexAttribPointer(5 + i, 4, gl.FLOAT, false, 4 * PLACE_FLOATS, 16 * i);
      gl.vertexAttribDivisor(5 + i, 1);
    }
  }

  makeMeshes(glb, bitmaps, light) {
    const { gl, data } = this;
    const deltas = [];
    const images = {};
    const textureOf = ({ image, wraps }) => (images[`${image} ${wraps}`] ??= imageTexture(gl, bitmaps[image], wraps));
    const white = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, white);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    this.masked = glb.materials.some((material) => material.masked);
    this.triangles = 0;
    this.meshes = glb.meshes.map((mesh, number) => {
      const vertices = gl.createVertexArray();
      gl.bindVertexArray(vertices);
      const floats = (location, array, width) => {
        if (!array) return;
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(location);
        gl.vertexAttribPointer(location, width, gl.FLOAT, false, 0, 0);
      };
      const integers = (location, array, width, type) => {
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(location);
        gl.vertexAttribIPointer(location, width, type, 0, 0);
      };
      floats(0, mesh.positions, 3);
      floats(1, mesh.normals, 3);
      floats(2, mesh.uvs, 2);
      integers(3, mesh.joints, 4, mesh.joints instanceof Uint8Array ? gl.UNSIGNED_BYTE : gl.UNSIGNED_SHORT);
      floats(4, mesh.weights, 4);
      floats(9, mesh.colors, 4);
      if (!mesh.colors) gl.vertexAttrib4f(9, 1, 1, 1, 1);
      floats(10, mesh.secondUvs ?? mesh.uvs, 2);
      const morphOf = data.morphs?.meshes[number] ?? [];
      if (morphOf.length > 0) integers(8, movedVertices(mesh, morphOf, deltas), 2, gl.UNSIGNED_INT);
      this.attachPlaces(this.meshBuffer);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
      gl.bindVertexArray(null);
      this.triangles += mesh.indices.length / 3;
      const material = glb.materials[mesh.material] ?? { color: [1, 1, 1, 1], map: null, glow: [0, 0, 0], glowMap: null, alpha: 'OPAQUE', masked: false, unlit: false };
      const hasImage = material.map !== null && mesh.uvs !== null;
      const blended = material.alpha === 'BLEND';
      return {
        vertices,
        how: this.programFor(morphOf.length > 0, light),
        image: hasImage ? textureOf(material.map) : white,
        map: material.map ?? NO_MAP,
        glow: material.glow,
        glowImage: material.glowMap ? textureOf(material.glowMap) : white,
        glowMap: material.glowMap ?? NO_MAP,
        color: material.color,
        blended,
        alpha: material.alpha === 'OPAQUE' ? [0, 0] : [1, blended ? SOLID : material.cutoff],
        unlit: material.unlit ? 1 : 0,
        facts: [hasImage ? 1 : 0, material.masked ? 1 : 0, hasImage && !material.masked ? 0.5 : 1],
        count: mesh.indices.length,
        type: mesh.indices instanceof Uint32Array ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT,
      };
    });
    this.deltas = listTexture(gl, new Float32Array(deltas));
  }

  programFor(morphs, light) {
    this.programs ??= {};
    const key = morphs ? 'morphs' : 'plain';
    this.programs[key] ??= program(this.gl, vertexText(this.data, this.reading, morphs), fragmentText(light));
    return this.programs[key];
  }

  /** Sets where an actor stands: { position, yaw, scale, tint (linear, 3 numbers) }. */
  place(actor, { position = [0, 0, 0], yaw = 0, scale = 1, tint = [1, 1, 1] } = {}) {
    const turn = [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)];
    this.placeData.set([...position, scale, ...turn, ...tint, actor], actor * PLACE_FLOATS);
    this.placesChanged = true;
  }

  /** Poses all actors for a time: fills the palette. Call before drawing. */
  prepare(seconds) {
    const { gl, records } = this;
    this.seconds = records.prepare(seconds);
    if (records.changed) {
      gl.bindTexture(gl.TEXTURE_2D, this.textures.ckActors);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, records.width, records.height, gl.RGBA, gl.FLOAT, records.texels);
      records.changed = false;
    }
    if (this.placesChanged) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.placeBuffer);
      gl.bufferData(gl.ARRAY_BUFFER, this.placeData, gl.DYNAMIC_DRAW);
      this.placesChanged = false;
    }
    gl.disable(gl.DEPTH_TEST);
    gl.bindVertexArray(null);
    for (const { into, how } of this.passes) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, into.framebuffer);
      gl.viewport(0, 0, into.width, into.height);
      use(gl, how, this.textures);
      gl.uniform1f(how.at.ckSeconds, this.seconds);
      gl.uniform1i(how.at.ckActorCount, this.count);
      gl.uniform1i(how.at.ckPaletteRows, into.height);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.enable(gl.DEPTH_TEST);
  }

  /** `overlaid`: what covers in part, after all that hides what is behind it. */
  draw(view, stage, overlaid = false) {
    const { gl } = this;
    if (!overlaid) this.drawImpostors(view, stage);
    const drawn = overlaid ? this.meshes.filter(({ blended }) => blended) : this.meshes;
    if (overlaid && drawn.length > 0) {
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
      gl.depthMask(false);
    }
    for (const mesh of drawn) {
      const { how, map, glowMap } = mesh;
      use(gl, how, { ...this.textures, ckDeltas: this.deltas, ckImage: mesh.image, ckGlowImage: mesh.glowImage });
      stage.look(how, view);
      if (how.at.ckSeconds) gl.uniform1f(how.at.ckSeconds, this.seconds);
      gl.uniform3f(how.at.ckPlace, ...map.offset, map.set);
      gl.uniform4fv(how.at.ckTurn, map.turn);
      gl.uniform3f(how.at.ckGlowPlace, ...glowMap.offset, glowMap.set);
      gl.uniform4fv(how.at.ckGlowTurn, glowMap.turn);
      gl.uniform3fv(how.at.ckGlow, mesh.glow);
      gl.uniform4fv(how.at.ckColor, mesh.color);
      gl.uniform3fv(how.at.ckFacts, mesh.facts);
      gl.uniform2fv(how.at.ckAlpha, overlaid ? [2, SOLID] : mesh.alpha);
      gl.uniform1f(how.at.ckUnlit, mesh.unlit);
      gl.bindVertexArray(mesh.vertices);
      gl.drawElementsInstanced(gl.TRIANGLES, mesh.count, mesh.type, 0, this.drawn.meshes);
    }
    gl.disable(gl.BLEND);
    gl.depthMask(true);
  }
}
