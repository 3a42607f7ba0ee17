// Reads back where a player's own programs put vertices: every program of the page is linked so that
// gl_Position can be captured by transform feedback, and draws with instances are repeated as points while
// a capture runs. Nothing of the player is changed; matrices that lead from the world to the picture are
// replaced by identities for the capture, so that gl_Position is a place in the world, in metres.

/* eslint-env browser */
function install(identities) {
  const gl2 = WebGL2RenderingContext.prototype;
  const { linkProgram, getUniformLocation, uniformMatrix4fv, drawElementsInstanced } = gl2;
  const names = new WeakMap();
  const identity = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  const capture = { on: false, draws: [] };
  window.__capture = capture;

  gl2.linkProgram = function (program) {
    this.transformFeedbackVaryings(program, ['gl_Position'], this.INTERLEAVED_ATTRIBS);
    return linkProgram.call(this, program);
  };
  gl2.getUniformLocation = function (program, name) {
    const location = getUniformLocation.call(this, program, name);
    if (location && identities.includes(name)) names.set(location, name);
    return location;
  };
  gl2.uniformMatrix4fv = function (location, transpose, data, ...rest) {
    const stays = !capture.on || !location || !names.has(location);
    return stays
      ? uniformMatrix4fv.call(this, location, transpose, data, ...rest)
      : uniformMatrix4fv.call(this, location, false, identity);
  };

  /** The vertices that the bound index buffer uses. */
  function vertexCount(gl, count, type, offset) {
    const Indices = { [gl.UNSIGNED_BYTE]: Uint8Array, [gl.UNSIGNED_SHORT]: Uint16Array, [gl.UNSIGNED_INT]: Uint32Array }[type];
    const indices = new Indices(count);
    gl.getBufferSubData(gl.ELEMENT_ARRAY_BUFFER, offset, indices);
    return indices.reduce((most, index) => Math.max(most, index), 0) + 1;
  }

  gl2.drawElementsInstanced = function (mode, count, type, offset, instances) {
    if (!capture.on || mode !== this.TRIANGLES) {
      return drawElementsInstanced.call(this, mode, count, type, offset, instances);
    }
    // Indexed draws cannot be captured (OpenGL ES 3.0, 2.15.2): all vertices are drawn as points instead.
    const vertices = vertexCount(this, count, type, offset);
    const buffer = this.createBuffer();
    const feedback = this.createTransformFeedback();
    this.bindTransformFeedback(this.TRANSFORM_FEEDBACK, feedback);
    this.bindBufferBase(this.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    this.bufferData(this.TRANSFORM_FEEDBACK_BUFFER, vertices * instances * 16, this.STREAM_READ);
    this.enable(this.RASTERIZER_DISCARD);
    this.beginTransformFeedback(this.POINTS);
    this.drawArraysInstanced(this.POINTS, 0, vertices, instances);
    this.endTransformFeedback();
    this.disable(this.RASTERIZER_DISCARD);
    const floats = new Float32Array(vertices * instances * 4);
    this.getBufferSubData(this.TRANSFORM_FEEDBACK_BUFFER, 0, floats);
    this.bindBufferBase(this.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    this.bindTransformFeedback(this.TRANSFORM_FEEDBACK, null);
    this.deleteTransformFeedback(feedback);
    this.deleteBuffer(buffer);
    capture.draws.push({ vertices, instances, triangles: count / 3, floats });
    return undefined;
  };
}

/** For page.evaluateOnNewDocument(): a machine whose WebGL 2 has no extension of that name. */
export function withoutExtension(missing) {
  const gl2 = WebGL2RenderingContext.prototype;
  const { getExtension, getSupportedExtensions } = gl2;
  gl2.getExtension = function (name) {
    return name === missing ? null : getExtension.call(this, name);
  };
  gl2.getSupportedExtensions = function () {
    return getSupportedExtensions.call(this).filter((name) => name !== missing);
  };
}

/** For browser.open({ prepare }). `identities`: names of the mat4 uniforms from the world to the picture. */
export function preparesCapture(identities) {
  return (page) => page.evaluateOnNewDocument(install, identities);
}

/**
 * Captures what `draw()`, evaluated in the page, draws with instances.
 * Returns [{ vertices, instances, triangles, positions }], positions as Float64Array of 3 per vertex,
 * instance after instance.
 */
export async function captured(page, draw) {
  const draws = await page.evaluate(`(async () => {
    const capture = window.__capture;
    capture.draws = [];
    capture.on = true;
    try { await (${draw})(); } catch (error) { throw new Error(error.stack); } finally { capture.on = false; }
    const base64 = (floats) => {
      const bytes = new Uint8Array(floats.buffer);
      let text = '';
      for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
      return btoa(text);
    };
    return capture.draws.map((draw) => ({ ...draw, floats: base64(draw.floats) }));
  })()`);
  return draws.map(({ floats, ...draw }) => {
    const bytes = Buffer.from(floats, 'base64');
    const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const positions = new Float64Array((values.length / 4) * 3);
    for (let v = 0; v * 4 < values.length; ++v) {
      for (let c = 0; c < 3; ++c) positions[v * 3 + c] = values[v * 4 + c] / values[v * 4 + 3];
    }
    return { ...draw, positions };
  });
}
