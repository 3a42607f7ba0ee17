// The page NAME.html in Chromium: places of vertices against `kiln pose`, its picture against `kiln
// render`, a hundred and a thousand actors, and all of its controls.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { startBrowser, serve } from './browser.mjs';
import { captured, preparesCapture, withoutExtension } from './capture.mjs';
import { coverage, keepPicture, meanDifference, overlap, pixelsOf, pixelsOfFile, share } from './pictures.mjs';
import { allowedMm, bake, farthest, kilnDocument, referenceOf } from './reference.mjs';
import { rigFile } from './rigs.mjs';

const rig = process.argv[2];
const file = rigFile(rig);
const { folder, name, sidecar, document } = bake(file, 'web');
const target = document.targets.find(({ kind }) => kind === 'web');
const site = await serve({ '/': folder });
const address = `${site.url}/${encodeURIComponent(name)}.html`;
const browser = await startBrowser();

const bounds = sidecar.clips.map((clip) => clip.bounds);
const low = [0, 1, 2].map((i) => Math.min(...bounds.map((box) => box.low[i])));
const high = [0, 1, 2].map((i) => Math.max(...bounds.map((box) => box.high[i])));
const size = Math.hypot(...high.map((v, i) => v - low[i]));

const waitForStart = (page) => page.waitForFunction('window.crowdkiln !== undefined', { timeout: 120_000 });

/** A page that stands still, whose places can be captured. */
async function stillPage(prepare = async () => {}) {
  const page = await browser.open(`${address}#count=1&paused=1`, {
    width: 320,
    height: 240,
    prepare: async (made) => {
      await prepare(made);
      await preparesCapture(['ckViewProjection'])(made);
    },
  });
  await waitForStart(page);
  return page;
}

async function placesAreThoseOfTheClips() {
  const machines = [
    ['palette', target.vertex.maxMm, async () => {}],
    ['direct', sidecar.errorDirect.vertex.maxMm, (page) => page.evaluateOnNewDocument(withoutExtension, 'EXT_color_buffer_float')],
  ];
  for (const [reading, stated, prepare] of machines) {
    const page = await stillPage(prepare);
    assert.equal(await page.evaluate('crowdkiln.reading'), reading);
    const said = await page.$eval('#facts', (element) => element.textContent);
    assert.equal(/joint by joint/.test(said), reading === 'direct');
    const worst = await farthestOfClips(page);
    console.log(`${reading}: at most ${worst.mm.toFixed(4)} mm off (${worst.clip} at ${worst.unit}), stated ${stated.toFixed(4)} mm`);
    assert(worst.mm <= allowedMm(stated, size), JSON.stringify(worst));
    await page.close();
  }
}

async function farthestOfClips(page) {
  let worst = { mm: 0 };
  for (const [number, clip] of sidecar.clips.entries()) {
    const moments = referenceOf(file, clip);
    const actors = moments.map(({ unit }) => ({ clip: number, offset: unit, rate: 0, loop: 'once' }));
    await page.evaluate((list) => window.crowdkiln.show(list), actors);
    const draws = await captured(page, '() => crowdkiln.draw(0)');
    assert.equal(draws.length, moments[0].meshes.length, 'a draw per mesh');
    draws.forEach(({ vertices, positions }, mesh) => {
      moments.forEach(({ unit, meshes }, i) => {
        const found = farthest(meshes[mesh].subarray(0, vertices * 3), positions.subarray(i * vertices * 3, (i + 1) * vertices * 3));
        if (!(found.mm <= worst.mm)) worst = { ...found, clip: clip.name, unit, mesh };
      });
    });
  }
  return worst;
}

/** Loop modes, rates and fades of the page's clock against moments that are set outright. */
async function timeIsThatOfTheClips() {
  const page = await stillPage();
  const [{ durationSeconds }] = sidecar.clips;
  const at = async (actors, seconds) => {
    await page.evaluate((list) => window.crowdkiln.show(list), actors);
    return captured(page, `() => crowdkiln.draw(${seconds})`);
  };
  const unitOf = { loop: (q) => q - Math.floor(q), once: (q) => Math.min(Math.max(q, 0), 1), 'ping-pong': (q) => 1 - Math.abs((((q % 2) + 2) % 2) - 1) };
  for (const [loop, law] of Object.entries(unitOf)) {
    for (const [rate, offset, seconds] of [[1, 0.25, 0.4], [-1.7, 0.6, 2.3], [0.8, 0.1, 1000.25]]) {
      const cycles = offset + (seconds * rate) / durationSeconds;
      const running = await at([{ clip: 0, loop, rate, offset }], seconds);
      const still = await at([{ clip: 0, loop: 'once', rate: 0, offset: law(cycles) }], 0);
      const apart = Math.max(...running.map(({ positions }, m) => farthest(positions, still[m].positions).mm));
      assert(apart < size * 0.2, `${loop} at rate ${rate} is ${apart} mm from its moment`);
    }
  }
  await page.close();
}

async function pictureIsThatOfTheEditor() {
  const [width, height] = [480, 360];
  const page = await browser.open(`${address}#count=1&paused=1`, { width, height });
  await waitForStart(page);
  // Seen from the front and a little above, with the whole figure in the picture.
  const centre = high.map((v, i) => (v + low[i]) / 2);
  const eye = [centre[0] + size * 0.4, centre[1] + size * 0.35, centre[2] + size * 1.25];
  const clip = sidecar.clips.length > 1 ? 1 : 0;
  const unit = 0.37;
  await page.addStyleTag({ content: 'header, p, #bar { visibility: hidden }' });
  const shoot = async (actors) => {
    await page.evaluate(
      (list, from, to) => {
        window.crowdkiln.show(list);
        window.crowdkiln.camera.lookFrom(from, to);
        window.crowdkiln.draw(0);
      },
      actors,
      eye,
      centre,
    );
    return page.screenshot();
  };
  const actor = { clip, offset: unit, rate: 0, position: [0, 0, 0] };
  const shown = await shoot([actor]);
  const empty = await shoot([{ ...actor, position: [0, -1e5, 0] }]);
  keepPicture(`${rig}.page.png`, shown);

  // The same actor in a project, drawn by the program itself.
  const project = join(folder, 'one.crowd');
  const kilnShown = join(folder, 'one.png');
  const kilnEmpty = join(folder, 'none.png');
  const camera = `${eye.join(',')}:${centre.join(',')}`;
  writeProject(project, file, clip, unit);
  const common = ['--camera', camera, '--size', `${width}x${height}`, '--shadows', 'soft'];
  kilnDocument('render', project, '-o', kilnShown, ...common);
  writeProject(project, file, clip, unit, -1e5);
  kilnDocument('render', project, '-o', kilnEmpty, ...common);
  const ours = await pixelsOf(page, shown);
  const theirs = await pixelsOfFile(page, kilnShown);
  const inside = coverage(ours, await pixelsOf(page, empty));
  const insideTheirs = coverage(theirs, await pixelsOfFile(page, kilnEmpty));
  const same = overlap(inside, insideTheirs);
  const difference = meanDifference(ours, theirs, inside);
  console.log(`picture: ${(100 * same).toFixed(1)} % of the silhouette, mean difference ${difference.toFixed(2)} of 255, ${(100 * share(inside)).toFixed(1)} % of the picture`);
  assert(share(inside) > 0.02, 'the figure is seen');
  assert(same > 0.93, `silhouettes overlap by ${same}`);
  assert(difference < 8, `the pictures differ by ${difference}`);
  await page.close();
}

async function crowdsMoveAndObey() {
  // Controls with a few actors, because software takes long for many.
  const page = await browser.open(`${address}#count=6&paused=1&time=1`, { width: 960, height: 540, touch: true });
  await waitForStart(page);
  const picture = async (label) => {
    const png = await page.screenshot();
    if (label) keepPicture(`${rig}.${label}.png`, png);
    return pixelsOf(page, png);
  };
  const differs = (a, b) => share(coverage(a, b, 4));
  const text = (id) => page.$eval(`#${id}`, (element) => element.textContent);

  assert.match(await text('facts'), /6 actors/);
  const { width, height } = sidecar.layout;
  assert((await text('facts')).includes(`${width.toLocaleString('en')} × ${height.toLocaleString('en')}`));
  assert.match(await text('facts'), /at most [\d.e-]+ mm off/);

  // Keyboard: turn, zoom, pause, clip, count.
  await page.evaluate(() => window.crowdkiln.draw(1.0));
  await page.focus('#view');
  const before = await picture();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('+');
  await page.evaluate(() => window.crowdkiln.draw(1.0));
  assert(differs(before, await picture()) > 0.02, 'keys turn and zoom');
  await page.keyboard.press('Space');
  assert.equal(await page.$eval('#play', (button) => button.getAttribute('aria-pressed')), 'false');
  await page.keyboard.press('Space');
  assert.equal(await page.$eval('#play', (button) => button.getAttribute('aria-pressed')), 'true');
  const number = await text('number');
  await page.keyboard.press('PageUp');
  assert.notEqual(await text('number'), number, 'page up makes more actors');
  if (sidecar.clips.length > 1) {
    const chosen = await page.$eval('#clip', (select) => select.value);
    await page.keyboard.press(']');
    assert.notEqual(await page.$eval('#clip', (select) => select.value), chosen);
  }

  // Mouse and touch.
  const camera = () => page.evaluate(() => JSON.stringify(window.crowdkiln.camera));
  let seen = await camera();
  await page.mouse.move(480, 200);
  await page.mouse.down();
  await page.mouse.move(560, 230, { steps: 3 });
  await page.mouse.up();
  assert.notEqual(await camera(), seen, 'the mouse turns');
  seen = await camera();
  await page.mouse.wheel({ deltaY: -200 });
  await page.waitForFunction((old) => JSON.stringify(window.crowdkiln.camera) !== old, {}, seen);
  seen = JSON.parse(await camera());
  const one = await page.touchscreen.touchStart(400, 200);
  const two = await page.touchscreen.touchStart(500, 200);
  await one.move(360, 200);
  await two.move(540, 200);
  await one.end();
  await two.end();
  const pinched = JSON.parse(await camera());
  assert(pinched.distance < seen.distance * 0.9, 'two fingers zoom');

  assert.equal(await page.$eval('#play', (button) => button.getAttribute('aria-pressed')), 'true');
  const drawn = async (count, seconds) => {
    await page.evaluate(
      (wanted, time) => {
        window.crowdkiln.setCount(wanted);
        window.crowdkiln.frame();
        window.crowdkiln.draw(time);
      },
      count,
      seconds,
    );
    return picture(seconds === 2 ? String(count) : undefined);
  };
  const hundred = await drawn(100, 2);
  assert.match(await text('facts'), /100 actors/);
  assert(differs(hundred, await drawn(100, 2.4)) > 0.002, 'actors move');
  const thousand = await drawn(1000, 2);
  assert.match(await text('facts'), /1,000 actors/);
  assert(differs(hundred, thousand) > 0.05, 'a thousand actors are seen');
  await page.close();
}

/** A project of one actor of a rig. It plays a clip of all of the rig's, from `offset` on. */
function writeProject(path, source, clip, offset, y = 0) {
  writeFileSync(
    path,
    JSON.stringify({
      format: 'crowdkiln-project',
      version: 1,
      minReader: 1,
      characters: [
        {
          sources: [{ path: relative(dirname(path), source).replaceAll('\\', '/') }],
          clips: sidecar.clips.map(({ sourceName, name: own }) => ({ name: sourceName ?? own, ticked: true })),
        },
      ],
      view: { method: 'palette', grid: true },
      actors: { count: 1, clip: [clip], offset: [offset], rate: 1, position: [0, y, 0] },
    }),
  );
}

await placesAreThoseOfTheClips();
await timeIsThatOfTheClips();
await pictureIsThatOfTheEditor();
await crowdsMoveAndObey();
await browser.close();
await site.close();
