// The folder NAME.three/ in Chromium with the package `three`: the scene as it is written, with three.js from
// where its importmap says (answered from the package), and places of vertices against `kiln pose`, as the
// programs of three.js compute them, in the picture and in the shadow map.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser, serve } from './browser.mjs';
import { captured, preparesCapture, withoutExtension } from './capture.mjs';
import { packageFolder } from './packages.mjs';
import { coverage, keepPicture, pixelsOf, share } from './pictures.mjs';
import { allowedMm, bake, farthest, referenceOf } from './reference.mjs';
import { rigFile } from './rigs.mjs';

const rig = process.argv[2];
const file = rigFile(rig);
const { folder, name, sidecar, document } = bake(file, 'three', ['--morph-slots', '11', '--morph-bits', '16']);
const target = document.targets.find(({ kind }) => kind === 'three');
const three = packageFolder('three');
const bare = `<!doctype html><meta charset="utf-8"><script type="importmap">
{ "imports": { "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" } }
</script><body></body>`;
const site = await serve({ '/': join(folder, `${name}.three`), '/three/': three, '/bare': bare });
const toldOfDirect = /cannot draw into textures of floats/;
const browser = await startBrowser({ allowed: [toldOfDirect, /EXT_color_buffer_float extension not supported/] });

const bounds = sidecar.clips.map((clip) => clip.bounds);
const low = [0, 1, 2].map((i) => Math.min(...bounds.map((box) => box.low[i])));
const high = [0, 1, 2].map((i) => Math.max(...bounds.map((box) => box.high[i])));
const size = Math.hypot(...high.map((v, i) => v - low[i]));

/** A page with a crowd of ten actors, on which `crowd`, `renderer` and `scene` are there for scripts. */
async function crowdPage(options, prepare = async () => {}) {
  const page = await browser.open(`${site.url}/bare`, {
    width: 320,
    height: 240,
    prepare: async (made) => {
      await prepare(made);
      await preparesCapture(['projectionMatrix', 'viewMatrix'])(made);
    },
  });
  await page.evaluate(
    async (own, address) => {
      const THREE = await import('three');
      const { Crowd, loadCrowdSet } = await import('/crowd.js');
      const set = await loadCrowdSet(address);
      const renderer = new THREE.WebGLRenderer();
      renderer.setSize(320, 240);
      document.body.append(renderer.domElement);
      const scene = new THREE.Scene();
      const crowd = new Crowd(set, { capacity: 16, ...own });
      scene.add(crowd);
      // Matrices of the camera are identities, so that modelViewMatrix is that of the crowd.
      const camera = new THREE.Camera();
      camera.matrixAutoUpdate = false;
      for (const mesh of crowd.meshes) mesh.frustumCulled = false;
      scene.add(new THREE.HemisphereLight());
      window.test = { THREE, set, renderer, scene, crowd, camera };
    },
    options,
    `/${encodeURIComponent(name)}.crowd.json`,
  );
  return page;
}

async function farthestOfClips(page, draw) {
  let worst = { mm: 0 };
  for (const clip of sidecar.clips) {
    const moments = referenceOf(file, clip);
    await page.evaluate(
      (units, clipName) => {
        const { crowd } = window.test;
        for (const id of window.ids ?? []) crowd.removeActor(id);
        window.ids = units.map((offset) => crowd.addActor({ clip: clipName, offset, rate: 0, loop: 'once' }));
      },
      moments.map(({ unit }) => unit),
      clip.name,
    );
    const draws = await captured(page, draw);
    assert.equal(draws.length, moments[0].meshes.length, 'a draw per mesh');
    draws.forEach(({ vertices, positions, instances }, mesh) => {
      assert.equal(instances, moments.length);
      moments.forEach(({ unit, meshes }, i) => {
        const found = farthest(meshes[mesh].subarray(0, vertices * 3), positions.subarray(i * vertices * 3, (i + 1) * vertices * 3));
        if (!(found.mm <= worst.mm)) worst = { ...found, clip: clip.name, unit, mesh };
      });
    });
  }
  return worst;
}

const drawPicture = `() => {
  const { crowd, renderer, scene, camera } = window.test;
  crowd.update(renderer, 0);
  renderer.render(scene, camera);
}`;

async function placesAreThoseOfTheClips() {
  const page = await crowdPage({});
  const worst = await farthestOfClips(page, drawPicture);
  assert.equal(await page.evaluate('test.crowd.reading'), 'palette');
  const stated = target.vertex.maxMm;
  console.log(`places: at most ${worst.mm.toFixed(4)} mm off (${worst.clip} at ${worst.unit}), stated ${stated.toFixed(4)} mm`);
  assert(worst.mm <= allowedMm(stated, size), JSON.stringify(worst));

  // The material that shadow maps are drawn with.
  const shadow = await farthestOfClips(page, `() => {
    const { crowd, renderer, scene, camera } = window.test;
    crowd.update(renderer, 0);
    for (const mesh of crowd.meshes) [mesh.material, mesh.customDepthMaterial] = [mesh.customDepthMaterial, mesh.material];
    renderer.render(scene, camera);
    for (const mesh of crowd.meshes) [mesh.material, mesh.customDepthMaterial] = [mesh.customDepthMaterial, mesh.material];
  }`);
  assert(shadow.mm <= allowedMm(stated, size), `shadows: ${JSON.stringify(shadow)}`);
  await page.close();
}

async function directPlacesAreAsStated() {
  const page = await crowdPage({ reading: 'direct' });
  const worst = await farthestOfClips(page, drawPicture);
  const stated = sidecar.errorDirect.vertex.maxMm;
  console.log(`direct: at most ${worst.mm.toFixed(4)} mm off, stated ${stated.toFixed(4)} mm`);
  assert(worst.mm <= allowedMm(stated, size), JSON.stringify(worst));
  await page.close();
}

/** A machine that has no targets of floats: the crowd reads the atlas at the vertices, and says so. */
async function machinesWithoutFloatTargetsAreTold() {
  const said = [];
  const page = await crowdPage({}, async (made) => {
    await made.evaluateOnNewDocument(withoutExtension, 'EXT_color_buffer_float');
    made.on('console', (message) => said.push(message.text()));
  });
  const worst = await farthestOfClips(page, drawPicture);
  assert.equal(await page.evaluate('test.crowd.reading'), 'direct');
  assert.equal(said.filter((text) => toldOfDirect.test(text)).length, 1, said.join('; '));
  assert(worst.mm <= allowedMm(sidecar.errorDirect.vertex.maxMm, size), JSON.stringify(worst));
  await page.close();
}

/** Fades, ids, removing and bounds, by what is drawn. */
async function actorsObey() {
  const page = await crowdPage({});
  const last = sidecar.clips.length - 1;
  const draw = (seconds) => `() => {
    const { crowd, renderer, scene, camera } = window.test;
    crowd.update(renderer, ${seconds});
    renderer.render(scene, camera);
  }`;
  const only = async (script, seconds) => {
    await page.evaluate(script);
    return (await captured(page, draw(seconds)))[0];
  };
  const still = (clip, offset) => `{ const { crowd } = test; for (const id of window.ids ?? []) crowd.removeActor(id);
    window.ids = [crowd.addActor({ clip: ${clip}, offset: ${offset}, rate: 0, loop: 'once' })]; }`;
  const first = await only(still(0, 0.2), 0);
  const second = await only(still(last, 0.6), 0);
  const half = await only(`${still(0, 0.2)} test.crowd.play(ids[0], ${last}, { offset: 0.6, rate: 0, loop: 'once', fade: 2 })`, 1);
  const end = await only('0', 100);
  assert(farthest(end.positions, second.positions).mm < size * 0.02, 'a fade ends at the second clip');
  if (farthest(first.positions, second.positions).mm > size * 20) {
    assert(farthest(half.positions, first.positions).mm > size, 'a fade leaves the first clip');
    assert(farthest(half.positions, second.positions).mm > size, 'and is not yet at the second one');
  }
  // A removed actor's place is taken by the last one; ids stay.
  const three = await only(
    `{ const { crowd } = test; for (const id of ids) crowd.removeActor(id);
       window.ids = [0, 1, 2].map((x) => crowd.addActor({ offset: 0.2, rate: 0, loop: 'once', position: [x * 1000, 0, 0] }));
       crowd.removeActor(ids.shift()); crowd.setAt(ids[1], { position: [5000, 0, 0], yaw: 0 }); }`,
    100,
  );
  assert.equal(three.instances, 2);
  const count = three.vertices * 3;
  const spread = [0, 1].map((i) => three.positions[i * count] - first.positions[0]).sort((a, b) => a - b);
  assert(Math.abs(spread[0] - 1000) < 1 && Math.abs(spread[1] - 5000) < 1, `actors stand at ${spread}`);
  const sphere = await page.evaluate('(() => { const s = test.crowd.boundsOf(ids[1]); return [...s.center.toArray(), s.radius]; })()');
  const own = three.positions.subarray(0, count);
  const moved = three.positions.subarray(count, 2 * count);
  const inside = [own, moved].some((list) => {
    for (let v = 0; v < count; v += 3) {
      if (Math.hypot(list[v] - sphere[0], list[v + 1] - sphere[1], list[v + 2] - sphere[2]) > sphere[3] * 1.001) return false;
    }
    return true;
  });
  assert(inside, 'an actor lies within its bounds');
  await page.close();
}

/** Words and values that would do nothing, or what nobody meant. */
async function mistakesAreTold() {
  const page = await crowdPage({});
  const told = (script) =>
    page.evaluate((text) => {
      try {
        (0, eval)(text);
        return 'nothing';
      } catch (why) {
        return why.message;
      }
    }, script);
  const mistakes = {
    "test.crowd.addActor({ colour: '#fff' })": 'color',
    "test.crowd.addActor({ clip: 'nobody' })": sidecar.clips[0].name,
    'test.crowd.addActor({ position: [NaN, 0, 0] })': 'no number',
    'test.crowd.addActor({ offset: NaN })': 'offset',
    'test.crowd.setAt(12345, {})': '12345',
    'new test.crowd.constructor(test.set, { capacity: 0 })': 'capacity',
    "new test.crowd.constructor(test.set, { reading: 'atlas' })": 'palette, direct',
    'test.crowd.update(1)': 'WebGLRenderer',
  };
  for (const [script, says] of Object.entries(mistakes)) {
    const message = await told(script);
    assert(message.includes(says), `${script}: ${message}`);
  }
  // Time begins with the first frame, however late that is.
  const times = await page.evaluate('[500, 502].map((t) => { test.crowd.update(test.renderer, t); return test.crowd.seconds; })');
  assert.deepEqual(times, [0, 2]);
  await page.close();
}

/** The scene as a stranger opens it. */
async function sceneIsSeen() {
  const version = JSON.parse(readFileSync(join(three, 'package.json'), 'utf8')).version;
  const prefix = `https://cdn.jsdelivr.net/npm/three@${version}/`;
  let before;
  for (const count of [100, 1000]) {
    const page = await browser.open(`${site.url}/index.html?count=${count}`, {
      width: 960,
      height: 540,
      prepare: async (made) => {
        // Frames are asked for below: software takes seconds for each.
        await made.evaluateOnNewDocument(() => { window.requestAnimationFrame = () => 0; });
        await made.setRequestInterception(true);
        made.on('request', (request) => {
          const path = request.url().startsWith(prefix) && join(three, request.url().slice(prefix.length));
          if (!path) return request.continue();
          if (!existsSync(path)) return request.respond({ status: 404 });
          return request.respond({
            contentType: 'text/javascript',
            headers: { 'access-control-allow-origin': '*' },
            body: readFileSync(path),
          });
        });
      },
    });
    await page.waitForFunction(`window.crowdkiln?.crowd.count === ${count}`, { timeout: 120_000, polling: 200 });
    const shot = async (seconds) => {
      const address = await page.evaluate((time) => {
        const { renderer, scene, camera, crowd } = window.crowdkiln;
        crowd.update(renderer, time);
        renderer.render(scene, camera);
        return renderer.domElement.toDataURL('image/png');
      }, seconds);
      return Buffer.from(address.split(',')[1], 'base64');
    };
    const one = await shot(1);
    keepPicture(`${rig}.three.${count}.png`, one);
    // Software takes long for a thousand actors, so they are drawn once, beside a hundred later on.
    const other = before ?? (await shot(1.4));
    const changed = share(coverage(await pixelsOf(page, one), await pixelsOf(page, other), 6));
    assert(changed > (before ? 0.05 : 0.002), `${count} actors: ${changed} of the picture is another`);
    before = one;
    await page.close();
  }
}

await placesAreThoseOfTheClips();
await directPlacesAreAsStated();
await machinesWithoutFloatTargetsAreTold();
await actorsObey();
await mistakesAreTold();
await sceneIsSeen();
await browser.close();
await site.close();
