// The folder NAME.playcanvas/ in Chromium: its .vat played by scripts/esm/vat of the package `playcanvas`,
// places of vertices as the chunks of that script compute them against `kiln pose`, in three loops, and the
// scene as a stranger opens it, with the modules that its importmap names.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser, serve } from './browser.mjs';
import { captured, preparesCapture } from './capture.mjs';
import { packageFolder } from './packages.mjs';
import { coverage, keepPicture, pixelsOf, share } from './pictures.mjs';
import { allowedMm, bake, farthest, referenceOf } from './reference.mjs';
import { rigFile } from './rigs.mjs';

const rig = process.argv[2];
const file = rigFile(rig);
const { folder, name, sidecar, document } = bake(file, 'playcanvas');
const stated = document.targets.find(({ kind }) => kind === 'playcanvas').vertex.maxMm;
const bare = `<!doctype html><meta charset="utf-8"><script type="importmap">
{ "imports": { "playcanvas": "/pc/build/playcanvas.mjs", "playcanvas/": "/pc/" } }
</script><body><canvas id="view" width="320" height="240"></canvas></body>`;
const site = await serve({ '/': join(folder, `${name}.playcanvas`), '/pc/': packageFolder('playcanvas'), '/bare': bare });
// PlayCanvas greets.
const browser = await startBrowser({ allowed: [/^log: .*Powered by PlayCanvas/] });

const bounds = sidecar.clips.map((clip) => clip.bounds);
const low = [0, 1, 2].map((i) => Math.min(...bounds.map((box) => box.low[i])));
const high = [0, 1, 2].map((i) => Math.max(...bounds.map((box) => box.high[i])));
const size = Math.hypot(...high.map((v, i) => v - low[i]));

/** A page with a crowd that stands still unless it is told. */
async function crowdPage(own) {
  const page = await browser.open(`${site.url}/bare`, {
    width: 320,
    height: 240,
    prepare: preparesCapture([]),
  });
  await page.evaluate(
    async (address, useStandardMaterial, reach) => {
      const pc = await import('playcanvas');
      const { VatCharacters } = await import('playcanvas/scripts/esm/vat/vat-characters.mjs');
      const app = new pc.Application(document.getElementById('view'), {});
      app.start();
      app.autoRender = false; // software OpenGL takes seconds a picture
      const camera = new pc.Entity('camera');
      // The camera's matrices are in a uniform buffer, which captures do not replace: drawn() undoes them.
      // Without perspective that costs no more than rounding.
      camera.addComponent('camera', { projection: pc.PROJECTION_ORTHOGRAPHIC, orthoHeight: reach, nearClip: 0, farClip: 4 * reach });
      camera.setPosition(0, 0, 2 * reach);
      app.root.addChild(camera);
      const sun = new pc.Entity('sun');
      sun.addComponent('light', { type: 'directional' });
      app.root.addChild(sun);
      const entity = new pc.Entity('crowd');
      entity.addComponent('script');
      app.root.addChild(entity);
      const crowd = entity.script.create(VatCharacters, { properties: { url: address, light: sun, useStandardMaterial } });
      await crowd.ready;
      for (const instance of entity.findByName('VatCharacters').render.meshInstances) instance.cull = false;
      window.test = { pc, app, crowd };
    },
    `/${encodeURIComponent(name)}.vat`,
    own.useStandardMaterial,
    Math.max(...low.map(Math.abs), ...high.map(Math.abs)),
  );
  return page;
}

const frame = `() => {
  test.app.renderNextFrame = true;
  return new Promise((done) => test.app.once('frameend', done));
}`;

/** The vertices of all actors, one list each. */
async function drawn(page) {
  const draws = await captured(page, frame);
  assert.equal(draws.length, 1, 'one draw call');
  const [{ vertices, instances, positions }] = draws;
  const back = await page.evaluate(() => {
    const { pc, app } = window.test;
    const { projectionMatrix, viewMatrix } = app.root.findByName('camera').camera;
    return [...new pc.Mat4().mul2(projectionMatrix, viewMatrix).invert().data];
  });
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = positions.subarray(k, k + 3);
    for (let c = 0; c < 3; ++c) positions[k + c] = back[c] * x + back[4 + c] * y + back[8 + c] * z + back[12 + c];
  }
  return Array.from({ length: instances }, (_, i) => positions.subarray(i * vertices * 3, (i + 1) * vertices * 3));
}

const oneList = (meshes) => Float64Array.from(meshes.flatMap((mesh) => [...mesh]));

async function placesAreThoseOfTheClips(own) {
  const page = await crowdPage(own);
  let worst = { mm: 0 };
  for (const clip of sidecar.clips) {
    const moments = referenceOf(file, clip).map(({ unit, meshes }) => ({ unit, positions: oneList(meshes) }));
    const loops = clip.loop !== 'once';
    for (let pass = 0; pass < (loops ? 3 : 1); ++pass) {
      await page.evaluate(
        (units, animation, loop, passes) => {
          const { crowd } = window.test;
          crowd.count = units.length;
          const { duration } = crowd.animations.find((one) => one.name === animation);
          units.forEach((unit, i) => crowd.setAnimation(i, animation, 0, loop, (passes + unit) * duration));
        },
        moments.map(({ unit }) => unit),
        clip.name,
        loops,
        pass,
      );
      const actors = await drawn(page);
      assert.equal(actors.length, moments.length);
      moments.forEach(({ unit, positions }, i) => {
        const found = farthest(positions.subarray(0, actors[i].length), actors[i]);
        if (!(found.mm <= worst.mm)) worst = { ...found, clip: clip.name, unit, pass };
      });
    }
  }
  console.log(`places: at most ${worst.mm.toFixed(3)} mm off (${worst.clip} at ${worst.unit}), stated ${stated.toFixed(3)} mm`);
  assert(worst.mm <= allowedMm(stated, size), JSON.stringify(worst));
  await page.close();
}

/** Seconds are those of the clips, and metres those of the rig. */
async function theFileSaysWhatTheSidecarSays() {
  const page = await crowdPage({ useStandardMaterial: false });
  const found = await page.evaluate(() => {
    const { animations, characterBounds } = window.test.crowd;
    const box = [characterBounds.getMin(), characterBounds.getMax()].map(({ x, y, z }) => [x, y, z]);
    return { animations: animations.map((one) => [one.name, one.duration]), box };
  });
  const cycles = sidecar.clips.map((clip) => [clip.name, clip.durationSeconds * (clip.loop === 'ping-pong' ? 2 : 1)]);
  assert.deepEqual(found.animations, cycles);
  for (const axis of [0, 1, 2]) {
    assert(Math.abs(found.box[0][axis] - low[axis]) < size * 0.02, 'the box of all clips');
    assert(Math.abs(found.box[1][axis] - high[axis]) < size * 0.02, 'the box of all clips');
  }
  await page.close();
}

async function sceneIsSeen() {
  const folderOfPackage = packageFolder('playcanvas');
  const { version } = JSON.parse(readFileSync(join(folderOfPackage, 'package.json'), 'utf8'));
  const prefix = `https://cdn.jsdelivr.net/npm/playcanvas@${version}/`;
  const count = 30; // software OpenGL takes seconds a picture, and shadows are drawn as well
  const page = await browser.open(`${site.url}/index.html?count=${count}`, {
    width: 960,
    height: 540,
    prepare: async (made) => {
      await made.setRequestInterception(true);
      made.on('request', (request) => {
        if (!request.url().startsWith(prefix)) return request.continue();
        return request.respond({
          contentType: 'text/javascript',
          headers: { 'access-control-allow-origin': '*' },
          body: readFileSync(join(folderOfPackage, request.url().slice(prefix.length))),
        });
      });
    },
  });
  await page.waitForFunction(`window.characters?.count === ${count}`, { timeout: 120_000 });
  await page.evaluate('app.autoRender = false');
  const shot = async () => {
    // The picture is only there while the frame is drawn.
    const address = await page.evaluate(() => new Promise((done) => {
      const { app } = window;
      app.renderNextFrame = true;
      app.once('frameend', () => done(app.graphicsDevice.canvas.toDataURL('image/png')));
    }));
    return Buffer.from(address.split(',')[1], 'base64');
  };
  // Shaders are compiled in the first frames.
  for (let i = 0; i < 2; ++i) await shot();
  const one = await shot();
  await page.evaluate(() => {
    const { characters } = window;
    for (let i = 0; i < characters.count; ++i) characters.setTime(i, characters.getTime(i) + 0.4);
  });
  const two = await shot();
  keepPicture(`${rig}.playcanvas.png`, one);
  const moved = share(coverage(await pixelsOf(page, one), await pixelsOf(page, two), 6));
  assert(moved > 0.002, `actors move (${moved})`);
  await page.close();
}

await placesAreThoseOfTheClips({ useStandardMaterial: false });
await placesAreThoseOfTheClips({ useStandardMaterial: true });
await theFileSaysWhatTheSidecarSays();
await sceneIsSeen();
await browser.close();
await site.close();
