// Installs the packages of package-lock.json below build/consumers and hands them out. Programs of this
// folder do not import packages by name, because node_modules must not lie in the sources.
//
//   node packages.mjs      installs what is missing; exits with 77 (skipped) where that cannot be done
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const sources = dirname(fileURLToPath(import.meta.url));
export const repository = join(sources, '..', '..');
export const installed = process.env.CK_CONSUMERS_DIR ?? join(repository, 'build', 'consumers');

const files = ['package.json', 'package-lock.json', '.npmrc'];
const stamp = join(installed, 'installed.txt');

/** The exit code by which ctest knows a skipped test. */
export const skipped = 77;

export function skip(why) {
  console.log(`SKIPPED: ${why}`);
  process.exit(skipped);
}

function lockHash() {
  return createHash('sha256').update(readFileSync(join(sources, 'package-lock.json'))).digest('hex');
}

export function packagesAreInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash();
}

/** The folder of a package: packageFolder('three') + '/build/three.module.js'. */
export function packageFolder(name) {
  return join(installed, 'node_modules', name);
}

/** A file of a package as a module. */
export function load(path) {
  return import(pathToFileURL(join(installed, 'node_modules', path)).href);
}

function install() {
  if (packagesAreInstalled()) return;
  mkdirSync(installed, { recursive: true });
  rmSync(stamp, { force: true });
  for (const file of files) cpSync(join(sources, file), join(installed, file));
  const npm = spawnSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: installed,
    encoding: 'utf8',
  });
  if (npm.error) skip(`npm is missing (${npm.error.message}); scripts/install.sh consumers installs it`);
  if (npm.status !== 0) skip(`npm cannot install the packages: ${npm.stderr.trim().split('\n').pop()}`);
  writeFileSync(stamp, lockHash());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  install();
  console.log(`The packages are in ${join(installed, 'node_modules')}`);
}
