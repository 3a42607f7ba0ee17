// Pictures as pixels, compared by the parts that figures cover. PNG files are decoded by the browser.
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Pixels of a PNG: { width, height, data } with 4 bytes each. `page` is any open page. */
export async function pixelsOf(page, png) {
  const address = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const { width, height, data } = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const bytes = context.getImageData(0, 0, image.width, image.height).data;
    let text = '';
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return { width: image.width, height: image.height, data: btoa(text) };
  }, address);
  return { width, height, data: Buffer.from(data, 'base64') };
}

export async function pixelsOfFile(page, file) {
  return pixelsOf(page, readFileSync(file));
}

/**
 * Where a picture with a figure differs from the same picture without it by more than `step` of 255:
 * one byte per pixel, 1 inside.
 */
export function coverage(picture, empty, step = 10) {
  const mask = new Uint8Array(picture.width * picture.height);
  for (let i = 0; i < mask.length; ++i) {
    for (let c = 0; c < 3; ++c) {
      if (Math.abs(picture.data[i * 4 + c] - empty.data[i * 4 + c]) > step) mask[i] = 1;
    }
  }
  return mask;
}

/** Pixels inside both masks, as a share of those inside any. */
export function overlap(a, b) {
  let both = 0;
  let any = 0;
  for (let i = 0; i < a.length; ++i) {
    both += a[i] & b[i];
    any += a[i] | b[i];
  }
  return any === 0 ? 0 : both / any;
}

/** The mean difference of two pictures per channel, of 255, inside a mask. */
export function meanDifference(a, b, mask) {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < mask.length; ++i) {
    if (!mask[i]) continue;
    for (let c = 0; c < 3; ++c) sum += Math.abs(a.data[i * 4 + c] - b.data[i * 4 + c]);
    count += 3;
  }
  return count === 0 ? Infinity : sum / count;
}

/** The share of pixels that are inside a mask. */
export function share(mask) {
  return mask.reduce((sum, inside) => sum + inside, 0) / mask.length;
}

/** Keeps a picture to look at, in the folder that CK_KEEP names. */
export function keepPicture(name, png) {
  if (!process.env.CK_KEEP) return;
  const file = join(process.env.CK_KEEP, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, png);
}
