// PNG as bytes: browsers promise no exact pixels where alpha is no transparency.

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

/** The pixels of a PNG of 8-bit RGBA without interlacing, as Crowdkiln writes it: { width, height, data }. */
export async function pngPixels(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packed = [];
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (view.getUint32(24) !== 0x08060000 || view.getUint8(28) !== 0) throw new TypeError('This is no PNG of 8-bit RGBA');
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    if (view.getUint32(at + 4) === 0x49444154) packed.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const stream = new Blob(packed).stream().pipeThrough(new DecompressionStream('deflate'));
  const rows = new Uint8Array(await new Response(stream).arrayBuffer());
  const stride = 4 * width;
  if (rows.length !== height * (stride + 1)) throw new RangeError('The PNG is cut short');
  const data = new Uint8Array(height * stride);
  for (let y = 0; y < height; ++y) {
    const filter = rows[y * (stride + 1)];
    const from = y * (stride + 1) + 1;
    const to = y * stride;
    for (let x = 0; x < stride; ++x) {
      const left = x >= 4 ? data[to + x - 4] : 0;
      const above = y > 0 ? data[to + x - stride] : 0;
      const corner = x >= 4 && y > 0 ? data[to + x - stride - 4] : 0;
      const guess = [0, left, above, (left + above) >> 1, filter === 4 ? paeth(left, above, corner) : 0][filter];
      data[to + x] = rows[from + x] + guess;
    }
  }
  return { width, height, data };
}
