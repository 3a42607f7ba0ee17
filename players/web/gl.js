// The few words of WebGL 2 that the page needs.
import { SHADER_HEAD } from '../core/passes.js';

/** A program of two texts without a #version; `defines` are { NAME: number }. */
export function program(gl, vertex, fragment, defines = {}) {
  const lines = Object.entries(defines).map(([name, value]) => `#define ${name} ${value}\n`);
  const made = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, SHADER_HEAD + lines.join('') + text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
    const logs = gl.getAttachedShaders(made).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error([gl.getProgramInfoLog(made), ...logs].filter(Boolean).join('\n'));
  }
  const at = {};
  const units = {};
  const count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS);
  let unit = 0;
  gl.useProgram(made);
  for (let i = 0; i < count; ++i) {
    const { name, type } = gl.getActiveUniform(made, i);
    at[name] = gl.getUniformLocation(made, name);
    if (type === gl.SAMPLER_2D || type === gl.UNSIGNED_INT_SAMPLER_2D) {
      units[name] = unit;
      gl.uniform1i(at[name], unit++);
    }
  }
  return { program: made, at, units };
}

/** Starts to use a program with these textures; a name that it does not read is left out. */
export function use(gl, { program: made, units }, textures = {}) {
  gl.useProgram(made);
  for (const [name, texture] of Object.entries(textures)) {
    if (units[name] === undefined) continue;
    gl.activeTexture(gl.TEXTURE0 + units[name]);
    gl.bindTexture(gl.TEXTURE_2D, texture);
  }
}

/** A texture that is read texel by texel. `data` null: a target. */
export function dataTexture(gl, width, height, format, data) {
  const [internal, layout, type] = {
    RGBA16: [gl.RGBA16UI, gl.RGBA_INTEGER, gl.UNSIGNED_SHORT],
    RGBA8: [gl.RGBA8UI, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE],
    RGBA32F: [gl.RGBA32F, gl.RGBA, gl.FLOAT],
    RGBA16F: [gl.RGBA16F, gl.RGBA, gl.HALF_FLOAT],
    RGBA32UI: [gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT],
    RG32UI: [gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT],
    // Taken apart by the shader.
    RGB10_A2UI: [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT],
  }[format];
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, layout, type, data);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  return texture;
}

/** A list of vec4 in a texture, in rows of at most 2,048. */
export function listTexture(gl, floats) {
  const texels = Math.max(1, floats.length / 4);
  const width = Math.min(2048, texels);
  const height = Math.ceil(texels / width);
  const padded = new Float32Array(4 * width * height);
  padded.set(floats);
  return dataTexture(gl, width, height, 'RGBA32F', padded);
}

/** A layer of impostors with its levels of detail ({ width, height } and bytes under `layer`), read texel by texel. */
export function levelTexture(gl, levels, layer) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  levels.forEach(({ width, height, [layer]: data }, level) => {
    gl.texImage2D(gl.TEXTURE_2D, level, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
  });
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, levels.length - 1);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return texture;
}

/** Targets of one size, and what draws into them. */
export function target(gl, width, height, count) {
  const textures = Array.from({ length: count }, () => dataTexture(gl, width, height, 'RGBA32F', null));
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  textures.forEach((texture, i) => {
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, texture, 0);
  });
  gl.drawBuffers(textures.map((_, i) => gl.COLOR_ATTACHMENT0 + i));
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return { framebuffer, textures, width, height };
}
