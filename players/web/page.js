// The page: unpacks what it carries, builds a crowd and lets people look at it.
//
// The address may end in #count=1000&clip=walk&time=1.5&paused=1&camera=X,Y,Z:X,Y,Z (eye and target,
// metres) and &impostors=40 (how high an actor is that is drawn as a picture, pixels; 0: none). `window.crowdkiln` is the same for scripts (see the end of this file).
import { CrowdData } from '../core/crowd_set.js';
import { ImpostorData } from '../core/impostors.js';
import { Camera } from './camera.js';
import { Figures } from './figures.js';
import { readGlb } from './glb.js';
import { steer } from './input.js';
import { Stage } from './stage.js';

const MOST_ACTORS = 5000;
const FADE_SECONDS = 0.4;
const ALL = 'all';
const ICONS = {
  pause: '<svg viewBox="0 0 14 14" aria-hidden="true"><path d="M2 1h4v12H2zM8 1h4v12H8z"/></svg>',
  play: '<svg viewBox="0 0 14 14" aria-hidden="true"><path d="M2 0l12 7-12 7z"/></svg>',
};

const element = (id) => document.getElementById(id);

function bytesOfElement(id) {
  const text = atob(element(id).textContent.trim());
  element(id).remove();
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

async function unpacked(id) {
  const stream = new Blob([bytesOfElement(id)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

/** The pictures of far actors, or null where the page has none, or more than the machine holds. */
async function impostorsOf(mostSide) {
  const about = JSON.parse(element('impostors').textContent);
  if (about === null || Math.max(about.pictures.width, about.pictures.height) > mostSide) return null;
  return ImpostorData.read(about, bytesOfElement('impostorColor'), bytesOfElement('impostorForm'));
}

/** Even numbers in 0..1 that are the same on every machine. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// Cloth colours, linear: muted, so that the crowd does not look like confetti.
const TINTS = ['#b5583f', '#c98d4a', '#8f9a5b', '#4f7f74', '#4b6c93', '#7a6a9c', '#a35f73', '#c9c2b2', '#5d6470', '#8a6f58'].map(
  (hex) => [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2),
);

const number = (value) => value.toLocaleString('en');
function bytesText(bytes) {
  if (bytes < 1000 * 1024) return `${(bytes / 1024).toFixed(0)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

class Page {
  constructor(gl, data, glb, bitmaps, scene, footprints, impostors) {
    this.gl = gl;
    this.data = data;
    this.canvas = gl.canvas;
    const light = scene['look.glsl'] + scene['surface_light.glsl'];
    this.figures = new Figures(gl, data, glb, bitmaps, light, MOST_ACTORS, impostors);
    this.stage = new Stage(gl, scene, data.shaders, footprints);
    this.camera = new Camera();
    const { low, high } = data.bounds;
    const height = Math.max(high[1] - low[1], 1e-3);
    // Rigs come in all units. Those that are no animal or human by their size are shown as one.
    this.scale = height > 0.3 && height < 4 ? 1 : 1.8 / height;
    this.low = low.map((v) => v * this.scale);
    this.high = high.map((v) => v * this.scale);
    this.spacing = this.spacingOf() * this.scale;
    this.clip = ALL;
    this.paused = false;
    this.seconds = 0;
    this.before = null;
    this.needsFrame = true;
  }

  /** How far apart actors stand: by how wide they are in the clips that stay in place. */
  spacingOf() {
    const wide = this.data.clips.map(({ bounds: { low, high } }) => Math.max(high[0] - low[0], high[2] - low[2]));
    wide.sort((a, b) => a - b);
    return Math.max(wide[Math.floor((wide.length - 1) / 2)] * 0.95, 1e-3);
  }

  clipOf(random) {
    return this.clip === ALL ? Math.floor(random() * this.data.clips.length) : this.clip;
  }

  /** The same actor always has the same place, colour and phase, however many there are. */
  actor(index) {
    const random = seeded(index * 7919 + 11);
    // Rings about the first actor, with a little disorder.
    const radius = Math.sqrt(index) * this.spacing * 0.62;
    const angle = index * 2.399963;
    const away = () => (random() - 0.5) * this.spacing * 0.25 * Math.min(index, 1);
    return {
      position: [Math.cos(angle) * radius + away(), 0, Math.sin(angle) * radius + away()],
      yaw: index === 0 ? 0 : (random() - 0.5) * 1.1,
      scale: this.scale * (index === 0 ? 1 : 0.96 + 0.08 * random()),
      tint: this.figures.masked ? TINTS[Math.floor(random() * TINTS.length)] : Array(3).fill(0.86 + 0.14 * random()),
      offset: random(),
      rate: 0.94 + 0.12 * random(),
      clip: this.clipOf(random),
    };
  }

  setCount(count) {
    const { records } = this.figures;
    count = Math.round(Math.min(Math.max(count, 1), MOST_ACTORS));
    while (records.count > count) records.remove(records.count - 1);
    while (records.count < count) {
      const actor = this.actor(records.count);
      this.figures.place(records.count, actor);
      records.add(actor.clip, { ...actor, loop: this.loopOf(actor.clip), seconds: this.seconds });
    }
    this.count = count;
    this.tell();
  }

  /** Clips that play once start again here, so that the crowd keeps moving. */
  loopOf(clip) {
    return this.data.clips[clip].loop === 'once' ? 'loop' : undefined;
  }

  setClip(clip) {
    this.clip = clip;
    for (let index = 0; index < this.figures.count; ++index) {
      const actor = this.actor(index);
      this.figures.records.play(index, actor.clip, {
        ...actor,
        loop: this.loopOf(actor.clip),
        seconds: this.seconds,
        fade: FADE_SECONDS,
      });
    }
    this.needsFrame = true;
  }

  /** Looks at the whole crowd, but not from so far that no actor is seen. */
  frame() {
    const { camera, low, high } = this;
    const radius = Math.sqrt(this.count - 1) * this.spacing * 0.62 + Math.hypot(high[0] - low[0], high[2] - low[2]) / 2;
    const height = high[1];
    const aspect = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1);
    const half = Math.tan(camera.fieldOfView / 2);
    const tall = (height * 0.62) / half;
    const wide = radius / (half * Math.max(aspect, 0.4));
    camera.yaw = 0.5;
    camera.pitch = this.count === 1 ? 0.16 : 0.3;
    camera.distance = Math.max(tall * 1.25, Math.min(wide * 1.08, Math.max(height, this.spacing) * 16)) + (this.count > 1 ? radius * 0.15 : 0);
    // A little below the middle, because the controls cover the foot of the picture.
    camera.target = [0, height * (this.count === 1 ? 0.44 : 0.2), 0];
    this.needsFrame = true;
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.needsFrame = true;
  }

  draw() {
    const { gl, camera, canvas } = this;
    this.figures.prepare(this.seconds);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    const view = {
      ...camera.matrices(canvas.width / canvas.height),
      eye: camera.eye(),
      target: camera.target,
      distance: camera.distance,
      fogMeters: Math.max(70, camera.distance * 3.6),
      pixelsAtMeter: 0.5 / Math.tan(camera.fieldOfView / 2), // of a picture one pixel high
    };
    this.figures.choose(view, canvas.height);
    this.figures.draw(view, this.stage);
    if (view.eye[1] > 0) this.stage.drawGround(view);
    this.stage.drawSky(view);
    if (view.eye[1] > 0) this.stage.drawShadows(view, this.figures);
    this.figures.draw(view, this.stage, true);
    this.tellDrawn();
    this.needsFrame = false;
  }

  tick(now) {
    const step = this.before === null ? 0 : Math.min((now - this.before) / 1000, 0.25);
    this.before = now;
    if (!this.paused) this.seconds += step;
    this.resize();
    if (!this.paused || this.needsFrame) this.draw();
    requestAnimationFrame((then) => this.tick(then));
  }

  pause(paused) {
    this.paused = paused;
    element('play').innerHTML = paused ? ICONS.play : ICONS.pause;
    element('play').setAttribute('aria-pressed', String(paused));
    element('play').setAttribute('aria-label', paused ? 'Play' : 'Pause');
  }

  /** The corner and the controls say what is shown. */
  tell() {
    const { data, figures } = this;
    const { width, height, bytes } = data.manifest.texture;
    const millimeters = figures.reading === 'palette' ? data.error.paletteMm : data.error.directMm;
    const lines = [
      `${number(this.count)} ${this.count === 1 ? 'actor' : 'actors'} of ${number(figures.triangles)} triangles`,
      `atlas ${number(width)} × ${number(height)}, ${bytesText(bytes)}, ${data.manifest.encoding}`,
      `at most ${Number(millimeters.toPrecision(2))} mm off the clips`,
    ];
    if (figures.reading === 'direct') lines.push('this machine reads joint by joint: no float targets');
    const title = document.createElement('h1');
    title.textContent = data.name;
    element('facts').replaceChildren(
      title,
      ...lines.map((line) => Object.assign(document.createElement('p'), { textContent: line })),
    );
    if (figures.impostors) {
      // It changes with every step of the camera: screen readers do not read it out.
      this.drawnLine = element('facts').appendChild(Object.assign(document.createElement('p'), { id: 'drawn' }));
      this.drawnLine.setAttribute('aria-live', 'off');
    }
    this.tellDrawn();
    element('number').textContent = number(this.count);
    element('count').value = String(Math.round((1000 * Math.log(this.count)) / Math.log(MOST_ACTORS)));
    this.needsFrame = true;
  }

  tellDrawn() {
    const { meshes, impostors } = this.figures.drawn;
    const text = `meshes ${number(meshes)}, impostors ${number(impostors)}`;
    if (this.drawnLine && this.drawnLine.textContent !== text) this.drawnLine.textContent = text;
  }

  /** Draws actors as impostors that are at most this high on the screen; 0: none. */
  setImpostors(pixels) {
    this.figures.impostorPixels = pixels;
    this.needsFrame = true;
  }

  listen() {
    const clips = element('clip');
    const option = (value, text) => Object.assign(document.createElement('option'), { value, textContent: text });
    if (this.data.clips.length > 1) clips.append(option(ALL, 'all of them'));
    this.data.clips.forEach(({ name, seconds }, i) => clips.append(option(String(i), `${name} (${seconds.toFixed(1)} s)`)));
    const choose = (value) => this.setClip(value === ALL ? ALL : Number(value));
    const step = (by) => {
      clips.selectedIndex = (clips.selectedIndex + by + clips.length) % clips.length;
      choose(clips.value);
    };
    const more = (factor) => this.setCount(factor > 1 ? Math.max(this.count + 1, this.count * factor) : this.count * factor);
    const toggle = () => this.pause(!this.paused);
    const frame = () => this.frame();

    clips.addEventListener('change', () => choose(clips.value));
    element('play').addEventListener('click', toggle);
    element('home').addEventListener('click', frame);
    element('count').addEventListener('input', (event) => {
      this.setCount(MOST_ACTORS ** (Number(event.target.value) / 1000));
    });
    window.addEventListener('keydown', (event) => {
      if (event.target.matches?.('select, input') || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === ' ' && event.target.matches?.('button')) return;
      const keys = {
        ' ': toggle,
        f: frame,
        '[': () => step(-1),
        ']': () => step(1),
        PageUp: () => more(1.5),
        PageDown: () => more(1 / 1.5),
      };
      if (!keys[event.key]) return;
      keys[event.key]();
      event.preventDefault();
    });
    const hint = element('hint');
    steer(this.canvas, this.camera, () => {
      hint.style.opacity = '0';
      this.needsFrame = true;
    });
  }

  start() {
    const wanted = new URLSearchParams(window.location.hash.slice(1));
    const clip = this.data.clips.findIndex(({ name }) => name === wanted.get('clip'));
    if (clip >= 0) this.clip = clip;
    else if (this.data.clips.length === 1) this.clip = 0;
    this.listen();
    element('clip').value = String(this.clip);
    this.setCount(Number(wanted.get('count')) || 100);
    this.frame();
    const camera = wanted.get('camera')?.split(':').map((point) => point.split(',').map(Number));
    if (camera?.length === 2 && camera.flat().every(Number.isFinite)) this.camera.lookFrom(...camera);
    const impostors = wanted.has('impostors') ? Number(wanted.get('impostors')) : NaN;
    if (impostors >= 0) this.setImpostors(impostors);
    this.seconds = Number(wanted.get('time')) || 0;
    this.pause(wanted.get('paused') === '1');
    requestAnimationFrame((now) => this.tick(now));
  }
}

function fail(text) {
  element('message').textContent = text;
  element('message').hidden = false;
}

async function main() {
  const canvas = element('view');
  const gl = canvas.getContext('webgl2', { antialias: true, alpha: false, powerPreference: 'high-performance' });
  if (!gl) return fail('This page needs WebGL 2, which this browser does not have or has switched off.');
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    fail('The graphics card was reset. Reload the page.');
  });
  const manifest = JSON.parse(element('crowd').textContent);
  const { width, height } = manifest.texture;
  const most = gl.getParameter(gl.MAX_TEXTURE_SIZE);
  if (Math.max(width, height) > most) {
    return fail(`The atlas is ${width} by ${height} texels; this machine has textures of at most ${most} a side.`);
  }
  const [texels, mesh, footprints] = await Promise.all(['texels', 'mesh', 'footprints'].map(unpacked));
  const impostors = await impostorsOf(most);
  const glb = readGlb(mesh);
  const options = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' };
  const bitmaps = await Promise.all(glb.images.map((image) => createImageBitmap(image, options)));
  gl.enable(gl.DEPTH_TEST);
  const scene = JSON.parse(element('shaders').textContent);
  const data = new CrowdData(manifest, texels);
  const page = new Page(gl, data, glb, bitmaps, scene, new Float32Array(footprints), impostors);
  page.start();
  /** For scripts: what is shown, and how to show something else. */
  window.crowdkiln = {
    clips: page.data.clips,
    camera: page.camera,
    get reading() {
      return page.figures.reading;
    },
    get seconds() {
      return page.seconds;
    },
    /** How the last frame was drawn: { meshes, impostors }. */
    get drawn() {
      return page.figures.drawn;
    },
    get impostorPixels() {
      return page.figures.impostorPixels;
    },
    /** Draws actors as impostors that are at most this high on the screen; 0: none. */
    setImpostors: (pixels) => page.setImpostors(pixels),
    /** Shows these actors: [{ clip (number), offset, rate, loop, position, yaw, scale, tint }]. */
    show(actors) {
      const { records } = page.figures;
      while (records.count > 0) records.remove(records.count - 1);
      actors.forEach((actor, i) => {
        page.figures.place(i, actor);
        records.add(actor.clip, { ...actor, seconds: 0 });
      });
      page.count = actors.length;
      page.tell();
    },
    pause: (paused) => page.pause(paused),
    setCount: (count) => page.setCount(count),
    setClip: (clip) => page.setClip(clip),
    frame: () => page.frame(),
    /** Draws one frame of a time now, and stays there while paused. */
    draw(seconds = page.seconds) {
      page.seconds = seconds;
      page.resize();
      page.draw();
      gl.finish();
    },
  };
}

main().catch((error) => {
  console.error(error);
  fail(`The crowd cannot be shown: ${error.message}`);
});
