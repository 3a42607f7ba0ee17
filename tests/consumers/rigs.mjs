// The rigs that every target is tested with, by the names that CMakeLists.txt passes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository, skip } from './packages.mjs';

const shared = process.env.CK_SHARED_DIR ?? join(repository, '..', 'shared');
const samples = join(repository, 'resources', 'samples');

const rigs = {
  humanoid: join(samples, 'humanoid.glb'),
  animal: join(samples, 'animal.glb'),
  fox: join(shared, 'models', 'fox', 'Fox.glb'),
  cesium_man: join(shared, 'models', 'cesium_man', 'CesiumMan.glb'),
  robot: join(shared, 'models', 'quaternius_robot', 'Robot.fbx'),
};

/** The file of a rig. Skips the test where shared rigs are not there. */
export function rigFile(name) {
  const file = rigs[name];
  if (!file) throw new Error(`no rig is called ${name}; rigs: ${Object.keys(rigs).join(', ')}`);
  if (!existsSync(file)) skip(`${file} is not there`);
  return file;
}
