// Shader text around that of the set (GLSL ES 3.00): the readings as one function for vertex shaders, and
// what an actor's morph targets weigh.

/** The start of a complete shader, where three.js does not write it. */
export const SHADER_HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
precision highp sampler2DArray;
`;

/**
 * `CkMatrix ckSkinOfActor(int actor, ivec4 joints, vec4 weights)` for vertex shaders. `reading` is
 * 'palette' (matrices that a pass filled) or 'direct' (everything at the vertex, which needs ckSeconds).
 */
export function skinText(shaders, reading) {
  if (reading === 'palette') {
    return `${shaders.common}${shaders.palette}
CkMatrix ckSkinOfActor(int actor, ivec4 joints, vec4 weights) { return ckPaletteSkin(actor, joints, weights); }
`;
  }
  return `${shaders.common}${shaders.atlas}${shaders.actors}
uniform float ckSeconds;
CkMatrix ckSkinOfActor(int actor, ivec4 joints, vec4 weights) {
  return ckActorSkin(actor, joints, weights, ckSeconds);
}
`;
}

// Weights of four morphs, from the texture that has them for all frames.
function weightsOfFrames(columns) {
  return `
uniform sampler2D ckMorphFrames;
vec4 ckWeightsAt(int frame, int column) {
  int texel = frame * ${columns} + column;
  int across = textureSize(ckMorphFrames, 0).x;
  return texelFetch(ckMorphFrames, ivec2(texel % across, texel / across), 0);
}
vec4 ckWeightsOf(CkMoment moment, int column) {
  vec4 weights = ckWeightsAt(moment.frame, column);
  if (moment.alpha > 0.0) weights = mix(weights, ckWeightsAt(moment.frame + 1, column), moment.alpha);
  return weights;
}
vec4 ckShownWeights(CkShown shown, int column) {
  vec4 weights = ckWeightsOf(shown.a, column);
  if (shown.blend > 0.0) weights = mix(weights, ckWeightsOf(shown.b, column), shown.blend);
  return weights;
}
`;
}

/**
 * The fragment shader, without SHADER_HEAD, of the pass that fills the weights of morphs: its target has
 * `columns` texels per actor, placed like the palette. Uniforms as those of the palette's pass.
 */
export function morphPassText(shaders, columns) {
  return `${shaders.common}${shaders.atlas}${shaders.actors}${weightsOfFrames(columns)}
uniform float ckSeconds;
uniform int ckActorCount;
uniform int ckPaletteRows;
out vec4 oWeights;
void main() {
  ivec2 place = ivec2(gl_FragCoord.xy);
  int block = place.x / ${columns};
  int actor = block * ckPaletteRows + place.y;
  if (actor >= ckActorCount) discard;
  oWeights = ckShownWeights(ckShownBy(actor, ckSeconds), place.x - block * ${columns});
}
`;
}

/** `float ckMorphWeight(int actor, int morph)` for vertex shaders, after skinText() of the same reading. */
export function morphWeightText(columns, reading) {
  if (reading === 'direct') {
    return `${weightsOfFrames(columns)}
float ckMorphWeight(int actor, int morph) { return ckShownWeights(ckShownBy(actor, ckSeconds), morph / 4)[morph % 4]; }
`;
  }
  return `
uniform sampler2D ckMorphWeights;
float ckMorphWeight(int actor, int morph) {
  int rows = textureSize(ckMorphWeights, 0).y;
  ivec2 place = ivec2(actor / rows * ${columns} + morph / 4, actor % rows);
  return texelFetch(ckMorphWeights, place, 0)[morph % 4];
}
`;
}
