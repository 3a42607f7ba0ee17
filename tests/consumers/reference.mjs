// The positions that vertices must have at a moment: the rig file as `kiln pose` samples it, skinned here, in double.
// It knows nothing of an atlas but the names and lengths of its clips.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const kiln = process.env.KILN ?? 'kiln';

/** Runs kiln and returns its JSON document. Throws with its message where it fails. */
export function kilnDocument(...args) {
  const done = spawnSync(kiln, [...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (done.error) throw done.error;
  if (done.status > 1) throw new Error(`kiln ${args.join(' ')}: ${done.stdout} ${done.stderr}`);
  return JSON.parse(done.stdout);
}

/** A folder that is removed when the program ends. CK_KEEP names one that stays, to look into. */
export function temporaryFolder() {
  if (process.env.CK_KEEP) return process.env.CK_KEEP;
  const folder = mkdtempSync(join(tmpdir(), 'crowdkiln-consumers-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Bakes a rig for targets ('three,web', as --export takes them) and reads the sidecar.
 * Returns { folder, name, sidecar, document }; `options` are further options of kiln bake.
 */
export function bake(rig, targets, options = []) {
  const folder = join(temporaryFolder(), 'out');
  const document = kilnDocument('bake', rig, '-o', folder, '--export', targets, ...options);
  const sidecar = JSON.parse(readFileSync(join(folder, `${document.name}.atlas.json`), 'utf8'));
  return { folder, name: document.name, sidecar, document };
}

/**
 * Ten moments of a clip, as positions in it from 0 (first frame) to 1 (last frame): both ends, and eight
 * between, off the frames. The step that closes an exclusive seam is in no file and is left out.
 */
export function momentsOf(clip) {
  const moments = clip.keptMoments ? clip.keptMoments.at(-1) + 1 : clip.frames - (clip.stepFrames?.length ?? 0);
  const most = clip.seam === 'exclusive' ? (moments - 2) / (moments - 1) : 1;
  const between = Array.from({ length: 8 }, (_, i) => ((i + 0.618) / 8.3) * most);
  // A loop shows its first frame at 1, which is the same pose only where the seam says so.
  return [0, ...between, clip.loop === 'loop' ? most * 0.9999 : most];
}

/** Column-major matrix times point. */
function moved(m, x, y, z) {
  return [
    m[0] * x + m[4] * y + m[8] * z + m[12],
    m[1] * x + m[5] * y + m[9] * z + m[13],
    m[2] * x + m[6] * y + m[10] * z + m[14],
  ];
}

/** The vertices of a mesh of `kiln pose` at one moment: 3 numbers each, metres in model space. */
function skinned(mesh, matrices, morphWeights) {
  const positions = Float64Array.from(mesh.bindPositions);
  mesh.morphTargets.forEach((target, t) => {
    target.vertices.forEach((v, i) => {
      for (let c = 0; c < 3; ++c) positions[v * 3 + c] += morphWeights[t] * target.positionDeltas[i * 3 + c];
    });
  });
  for (let v = 0; v + 1 < mesh.influenceStarts.length; ++v) {
    const sum = [0, 0, 0];
    const from = mesh.influenceStarts[v];
    const to = mesh.influenceStarts[v + 1];
    for (let i = from; i < to; ++i) {
      const p = moved(matrices[mesh.skinJoints[i]], ...positions.subarray(v * 3, v * 3 + 3));
      for (let c = 0; c < 3; ++c) sum[c] += mesh.weights[i] * p[c];
    }
    if (from < to) positions.set(sum, v * 3);
  }
  return positions;
}

// References by clip: a test compares several drawings with each.
const known = new Map();

/**
 * The reference of a clip of a sidecar at momentsOf(clip):
 * [{ unit, meshes: [Float64Array of 3 numbers per vertex] }], the meshes and vertices in the order of
 * the rig file, which is that of the exported GLB.
 */
export function referenceOf(rig, clip, options = []) {
  const key = JSON.stringify([rig, clip.name, options]);
  if (!known.has(key)) known.set(key, sampledReference(rig, clip, options));
  return known.get(key);
}

function sampledReference(rig, clip, options) {
  const units = momentsOf(clip);
  const rate = clip.shape?.rate ?? 1;
  const times = units.map((unit) => clip.startSeconds + unit * clip.durationSeconds * rate);
  const posed = kilnDocument('pose', rig, '--clip', clip.sourceName ?? clip.name, '--times', times.join(','), ...options);
  return posed.moments.map((moment, i) => ({
    unit: units[i],
    meshes: posed.meshes.map((mesh, m) => skinned(mesh, moment.skinMatrices, moment.morphWeights[m])),
  }));
}

/** The largest distance between two lists of points, in millimetres, and the vertex that it is at. */
export function farthest(a, b) {
  if (a.length !== b.length) throw new Error(`${a.length / 3} vertices instead of ${b.length / 3}`);
  let worst = { mm: 0, vertex: -1 };
  for (let v = 0; v < a.length; v += 3) {
    const mm = 1000 * Math.hypot(a[v] - b[v], a[v + 1] - b[v + 1], a[v + 2] - b[v + 2]);
    if (!(mm <= worst.mm)) worst = { mm, vertex: v / 3 };
  }
  return worst;
}

/**
 * The most that a measured distance may be, where `stated` is the largest error that the target states, of a
 * model `size` metres large: a stated maximum is found to within 3 %, and floats round.
 */
export function allowedMm(stated, size) {
  return stated * 1.03 + size * 0.005;
}
