// Far actors of the page and of three.js as impostors, in Chromium: a picture with near meshes and far impostors is
// held against the picture with all meshes, which the other tests hold against the clips.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser, serve } from './browser.mjs';
import { packageFolder } from './packages.mjs';
import { coverage, keepPicture, meanDifference, overlap, pixelsOf, share } from './pictures.mjs';
import { bake } from './reference.mjs';
import { rigFile } from './rigs.mjs';

const rig = process.argv[2];
const file = rigFile(rig);
const { folder, name, sidecar, document } = bake(file, 'web,three', ['--impostors', '16M']);
const three = packageFolder('three');
const bare = `<!doctype html><meta charset="utf-8"><script type="importmap">
{ "imports": { "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" } }
</script><body style="margin: 0"></body>`;
const site = await serve({ '/page/': folder, '/': join(folder, `${name}.three`), '/three/': three, '/bare': bare });
const browser = await startBrowser();
const [width, height] = [960, 540];

for (const kind of ['web', 'three']) {
  const { losses } = document.targets.find((one) => one.kind === kind);
  assert(losses.some((loss) => /Impostors show the nearest of \d+ moments/.test(loss)), losses.join('; '));
}

// A row of actors in front, and rows of far ones behind, each with a moment, a rate and a tint of its own. The numbers of
// clips are those of the sidecar. What travels or lies about is left to the others.
const boxes = sidecar.clips.map(({ bounds: { low, high } }) => high.map((v, i) => v - low[i]));
const tall = Math.min(...boxes.map((box) => box[1]));
const widths = boxes.map((box) => Math.max(box[0], box[2])).sort((a, b) => a - b);
const wide = widths[Math.floor((widths.length - 1) / 2)];
const TINTS = [[0.7, 0.2, 0.1], [0.1, 0.4, 0.7], [0.2, 0.6, 0.2], [0.8, 0.7, 0.3], [0.9, 0.9, 0.9]];
const half = 0.7 / 2; // of the field of view
// Pixels of those in the first far row, by the limit that both players have.
const about = JSON.parse(readFileSync(join(folder, `${name}.impostors`, `${name}.impostors.json`), 'utf8'));
const body = 2 * Math.max(...about.moments.map((moment) => moment.half[1]));
const limit = Math.min(about.cells.height, (2 * body) / about.errorMeters);
const farHigh = 0.9 * limit * (tall / body);
const away = (0.5 * height * tall) / Math.tan(half) / farHigh;
const rows = [];
for (let row = 0; row < 3; ++row) {
  const depth = away * (1 + 0.3 * row);
  const count = Math.min(24, Math.floor((1.6 * depth * Math.tan(half) * width) / height / (1.1 * wide)));
  for (let i = 0; i < count; ++i) rows.push([1.1 * wide * (i - (count - 1) / 2), depth]);
}
const near = [[-1.2 * wide, 0.35 * away], [1.2 * wide, 0.4 * away]];
const actors = [...near, ...rows].map(([x, depth], i) => ({
  clip: i % sidecar.clips.length,
  offset: (i * 0.377) % 1,
  rate: 0.8 + 0.1 * (i % 5),
  loop: 'loop',
  position: [x, 0, -depth],
  yaw: (i * 2.4) % 6.28,
  tint: TINTS[i % TINTS.length],
}));
const eye = [0, 0.11 * away, 0];
const target = [0, 0.5 * tall, -away];
const isMesh = (i) => i < near.length;

/** For each channel, how much brighter than another picture each block of 6 by 6 pixels is. */
function blocksOf(picture, without) {
  const side = 6;
  const columns = Math.ceil(picture.width / side);
  const channels = [0, 1, 2].map(() => new Float64Array(columns * Math.ceil(picture.height / side)));
  for (let i = 0; i < picture.width * picture.height; ++i) {
    const block = Math.floor(Math.floor(i / picture.width) / side) * columns + Math.floor((i % picture.width) / side);
    for (let c = 0; c < 3; ++c) channels[c][block] += picture.data[4 * i + c] - without.data[4 * i + c];
  }
  return channels;
}

/** The mean distance of blocks, as a share of what the first ones add. */
function apart(a, b) {
  const sum = (of) => [0, 1, 2].reduce((all, c) => all + a[c].reduce((sofar, _, i) => sofar + Math.abs(of(c, i)), 0), 0);
  return sum((c, i) => a[c][i] - b[c][i]) / sum((c, i) => a[c][i]);
}

/** `shoot(list, seconds, impostors)` draws and returns a PNG, and what is said to be drawn: { meshes, impostors }. */
async function compare(page, label, shoot) {
  const pixels = async (list, seconds, impostors) => {
    const { png, drawn } = await shoot(list, seconds, impostors);
    return { png, drawn, ...(await pixelsOf(page, png)) };
  };
  const seconds = 1.3;
  const front = actors.filter((_, i) => isMesh(i));
  const without = await pixels(front, seconds, true);
  assert.deepEqual(without.drawn, { meshes: near.length, impostors: 0 }, `${label}: near actors are meshes`);
  const meshes = await pixels(actors, seconds, false);
  assert.deepEqual(meshes.drawn, { meshes: actors.length, impostors: 0 });
  const mixed = await pixels(actors, seconds, true);
  assert.deepEqual(mixed.drawn, { meshes: near.length, impostors: rows.length }, `${label}: far actors are impostors`);
  keepPicture(`${rig}.${label}.meshes.png`, meshes.png);
  keepPicture(`${rig}.${label}.impostors.png`, mixed.png);
  const due = coverage(meshes, without, 6);
  const found = coverage(mixed, without, 6);
  const same = overlap(due, found);
  const late = await pixels(actors.map((actor) => ({ ...actor, offset: actor.offset + 0.5 })), seconds, true);
  const later = overlap(due, coverage(late, without, 6));
  // The share of far actors in the picture, by means of blocks: only the edges of impostors are hard.
  const added = (picture) => blocksOf(picture, without);
  const off = apart(added(meshes), added(mixed));
  const lateOff = apart(added(meshes), added(late));
  console.log(
    `${label}: ${rows.length} actors of ${farHigh.toFixed(0)} pixels and less, ${(100 * same).toFixed(1)} % of the silhouettes (half a clip ` +
      `later ${(100 * later).toFixed(1)} %), ${(100 * off).toFixed(1)} % off in the mean of blocks (later ${(100 * lateOff).toFixed(1)} %)`,
  );
  // All blocks together: how bright far actors are, of every colour.
  const sums = [meshes, mixed].map((picture) => added(picture).map((channel) => channel.reduce((sum, n) => sum + n, 0)));
  const most = Math.max(...sums[0].map(Math.abs));
  for (let c = 0; c < 3; ++c) {
    assert(Math.abs(sums[0][c] - sums[1][c]) < 0.2 * most, `${label}: channels add ${sums[1]} instead of ${sums[0]}`);
  }
  assert(share(due) > 0.003, `${label}: far actors are seen`);
  assert(same > 0.55, `${label}: silhouettes overlap by ${same}`);
  assert(off < 0.45, `${label}: far actors are off by ${off}`);
  assert(later < same && lateOff > 1.2 * off, `${label}: another moment is off by ${lateOff}, this one by ${off}`);
  // Near actors are the same.
  const own = coverage(without, await pixels([], seconds, true), 10).map((inside, i) => inside & (due[i] ^ 1) & (found[i] ^ 1));
  assert(meanDifference(meshes, mixed, own) < 0.5, `${label}: near actors differ`);
}

async function pageDrawsImpostors() {
  const page = await browser.open(`${site.url}/page/${encodeURIComponent(name)}.html#count=1&paused=1`, { width, height });
  await page.waitForFunction('window.crowdkiln !== undefined', { timeout: 120_000 });
  const usual = await page.evaluate('window.crowdkiln.impostorPixels');
  assert(Math.abs(usual - limit) < 0.01 * limit, `impostors up to ${usual} pixels instead of ${limit}`);
  await page.addStyleTag({ content: 'header, p, #bar { visibility: hidden }' });
  await compare(page, 'page', async (list, seconds, impostors) => {
    const drawn = await page.evaluate(
      (all, from, to, time, pixels) => {
        window.crowdkiln.show(all);
        window.crowdkiln.camera.lookFrom(from, to);
        window.crowdkiln.setImpostors(pixels);
        window.crowdkiln.draw(time);
        return window.crowdkiln.drawn;
      },
      list,
      eye,
      target,
      seconds,
      impostors ? usual : 0,
    );
    return { png: await page.screenshot(), drawn };
  });
  // Actors of scale 0 are never impostors.
  const hidden = await page.evaluate((all) => {
    window.crowdkiln.show(all);
    window.crowdkiln.setImpostors(5000);
    window.crowdkiln.draw(1);
    const { drawn } = window.crowdkiln;
    window.crowdkiln.show([]);
    window.crowdkiln.draw(1);
    return drawn;
  }, actors.map((actor, i) => ({ ...actor, scale: isMesh(i) ? 1 : 0 })));
  assert.deepEqual(hidden, { meshes: rows.length, impostors: near.length });
  // The corner says so, and the address is obeyed.
  assert.match(await page.$eval('#drawn', (line) => line.textContent), /^meshes 0, impostors 0$/);
  await page.close();
  for (const [pixels, expected] of [[0, { meshes: 30, impostors: 0 }], [5000, { meshes: 0, impostors: 30 }]]) {
    const other = await browser.open(`${site.url}/page/${encodeURIComponent(name)}.html#count=30&paused=1&impostors=${pixels}`, { width: 320, height: 240 });
    await other.waitForFunction('window.crowdkiln !== undefined', { timeout: 120_000 });
    await other.evaluate('window.crowdkiln.draw(1)');
    assert.deepEqual(await other.evaluate('window.crowdkiln.drawn'), expected);
    assert.match(await other.$eval('#drawn', (line) => line.textContent), new RegExp(`^meshes ${expected.meshes}, impostors ${expected.impostors}$`));
    await other.close();
  }
}

async function threeDrawsImpostors() {
  const page = await browser.open(`${site.url}/bare`, { width, height });
  await page.evaluate(
    async (address, from, to, size) => {
      const THREE = await import('three');
      const { Crowd, loadCrowdSet } = await import('/crowd.js');
      const set = await loadCrowdSet(address);
      const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
      renderer.setSize(...size);
      document.body.append(renderer.domElement);
      const scene = new THREE.Scene();
      scene.background = new THREE.Color('#3a3f46');
      scene.add(new THREE.HemisphereLight('#cfdcf2', '#5c5148', 1.7));
      const sun = new THREE.DirectionalLight('#fff1dc', 2.6);
      sun.position.set(-0.4, 1, 0.68);
      scene.add(sun);
      const camera = new THREE.PerspectiveCamera((0.7 * 180) / Math.PI, size[0] / size[1], 0.01 * to[1], 1000 * to[1]);
      camera.position.set(...from);
      camera.lookAt(...to);
      window.test = { THREE, set, Crowd, renderer, scene, camera };
    },
    `/${encodeURIComponent(name)}.crowd.json`,
    eye,
    target,
    [width, height],
  );
  // `first`: where the camera is at the update() before the one that is drawn.
  const shoot = (list, seconds, impostors, first = eye) =>
    page
      .evaluate(
        (all, time, pixels, from, to) => {
          const { THREE, set, Crowd, renderer, scene, camera } = window.test;
          const crowd = new Crowd(set, { capacity: 200, impostorPixels: pixels });
          scene.add(crowd);
          for (const { tint, ...actor } of all) crowd.addActor({ ...actor, color: new THREE.Color(...tint) });
          camera.position.set(...from);
          crowd.update(renderer, 0, camera);
          const before = crowd.drawn;
          camera.position.set(...to);
          crowd.update(renderer, time, camera);
          renderer.render(scene, camera);
          const address = renderer.domElement.toDataURL('image/png');
          const { drawn } = crowd;
          crowd.dispose();
          return { address, drawn, before };
        },
        list,
        seconds,
        impostors ? undefined : 0,
        first,
        eye,
      )
      .then(({ address, ...rest }) => ({ png: Buffer.from(address.split(',')[1], 'base64'), ...rest }));
  await compare(page, 'three', shoot);
  const everywhere = new Uint8Array(width * height).fill(1);
  const fresh = await shoot(actors, 1.3, true);
  const freshPixels = await pixelsOf(page, fresh.png);
  // Actors stand in the order of their depth: from a camera that comes nearer or goes away, those that are drawn stay in
  // the same order, and only where impostors begin changes.
  const depths = actors.map(({ position }) => -position[2]);
  assert.deepEqual(depths, depths.toSorted((a, b) => a - b));
  for (const [word, closer] of [['near', 0.2], ['far', -2.5]]) {
    const moved = await shoot(actors, 1.3, true, [eye[0], eye[1], eye[2] - closer * away]);
    assert.notDeepEqual(moved.before, fresh.drawn, `a camera that was ${word} has had the same actors as meshes`);
    assert(moved.before.impostors > 0);
    assert.deepEqual(moved.drawn, fresh.drawn);
    const difference = meanDifference(freshPixels, await pixelsOf(page, moved.png), everywhere);
    assert(difference < 1e-4, `after a camera that was ${word} the picture is off by ${difference}`);
  }
  // Actors of scale 0, or without any depth of their own, are never impostors.
  for (const scale of [0, [1, 1, 0], [0, 1, 1]]) {
    const flat = await shoot(actors.map((actor, i) => (isMesh(i) ? actor : { ...actor, scale })), 1.3, true);
    assert.deepEqual(flat.drawn, { meshes: actors.length, impostors: 0 }, `scale ${scale}`);
  }
  const hidden = actors.filter((_, i) => !isMesh(i)).map((actor) => ({ ...actor, scale: 0 }));
  const withHidden = await shoot([...actors, ...hidden], 1.3, true);
  assert.deepEqual(withHidden.drawn, { meshes: near.length + hidden.length, impostors: rows.length });
  const shown = meanDifference(freshPixels, await pixelsOf(page, withHidden.png), everywhere);
  assert(shown < 1e-4, `actors of scale 0 change the picture by ${shown}`);
  // Impostors cast the shadows of their meshes. Here nothing but shadows is drawn.
  const shadows = async (list, pixels) =>
    pixelsOf(
      page,
      await page
        .evaluate(
          (all, limit, size) => {
            const { THREE, set, Crowd, renderer, scene, camera } = window.test;
            if (!window.test.ground) {
              renderer.shadowMap.enabled = true;
              const sun = scene.children.find((light) => light.isDirectionalLight);
              sun.position.set(-0.4 * size, size, 0.1 * size);
              sun.target.position.set(0, 0, -1.2 * size);
              sun.castShadow = true;
              sun.shadow.mapSize.set(2048, 2048);
              Object.assign(sun.shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: 0.01 * size, far: 6 * size });
              window.test.ground = new THREE.Mesh(new THREE.PlaneGeometry(9 * size, 9 * size).rotateX(-Math.PI / 2), new THREE.MeshStandardMaterial());
              window.test.ground.receiveShadow = true;
              scene.add(window.test.ground, sun.target);
            }
            const crowd = new Crowd(set, { capacity: 200, impostorPixels: limit });
            scene.add(crowd);
            for (const { tint, ...actor } of all) crowd.addActor(actor);
            for (const mesh of crowd.meshes) Object.assign(mesh.material, { colorWrite: false, depthWrite: false });
            crowd.impostors.material.colorWrite = crowd.impostors.material.depthWrite = false;
            crowd.update(renderer, 0, camera);
            renderer.render(scene, camera);
            const address = renderer.domElement.toDataURL('image/png');
            crowd.dispose();
            return address;
          },
          list,
          pixels,
          away,
        )
        .then((address) => Buffer.from(address.split(',')[1], 'base64')),
    );
  const none = await shadows([], 0);
  const due = await shadows(actors, 0);
  const cast = coverage(due, none, 6);
  assert(share(cast) > 0.0005, `shadows are seen: ${share(cast)}`);
  const difference = meanDifference(due, await shadows(actors, undefined), cast);
  assert(difference < 1, `shadows differ by ${difference}`);
  await page.close();
}

await pageDrawsImpostors();
await threeDrawsImpostors();
await browser.close();
await site.close();
