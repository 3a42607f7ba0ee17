// A headless Chromium with WebGL 2 in software, and a web server for local folders. Everything that a
// page writes to its console, every error of a page and every request that fails is collected, and
// close() fails where there is any.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { load, skip } from './packages.mjs';

const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.glb': 'model/gltf-binary',
};

/**
 * Serves folders: { '/three/': '/path/of/three', '/': '/path/of/export' }; the longest prefix wins. A
 * value may also be a text, which is sent as HTML (recognised by its first character '<').
 * Returns { url, close }.
 */
export async function serve(folders) {
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const prefix = prefixes.find((p) => path.startsWith(p) || path === p);
    const target = prefix === undefined ? undefined : folders[prefix];
    if (path === '/favicon.ico' && !target?.startsWith?.('<')) return response.writeHead(204).end();
    if (target?.startsWith('<')) return response.writeHead(200, { 'content-type': types['.html'] }).end(target);
    const file = target && join(target, normalize('/' + path.slice(prefix.length)));
    if (!file || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((done) => server.close(done)),
  };
}

/**
 * Starts the browser. `open(url, { width, height, touch })` gives a page of puppeteer; `allowed` are
 * regular expressions of messages that do not count. Skips the test where there is no Chromium.
 */
export async function startBrowser({ allowed = [], options = [] } = {}) {
  if (!chromium) skip('there is no Chromium; scripts/install.sh consumers installs it, CHROMIUM names another');
  const puppeteer = (await load('puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')).default;
  const browser = await puppeteer.launch({
    executablePath: chromium,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-dev-shm-usage',
      ...options,
    ],
    protocolTimeout: 600_000,
  });
  const messages = [];
  // The messages of a page mostly tell why a test waits in vain.
  process.on('uncaughtExceptionMonitor', () => console.error('messages of pages:', messages));
  const note = (text) => {
    if (!allowed.some((pattern) => pattern.test(text))) messages.push(text);
  };
  return {
    browser,
    messages,
    async open(url, { width = 1280, height = 720, touch = false, prepare } = {}) {
      const page = await browser.newPage();
      await page.setViewport({ width, height, hasTouch: touch });
      page.on('console', (message) => note(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => note(`error: ${error.stack ?? error}`));
      page.on('requestfailed', (request) => note(`failed: ${request.url()} ${request.failure()?.errorText}`));
      page.on('response', (response) => {
        if (response.status() >= 400) note(`${response.status()}: ${response.url()}`);
      });
      if (prepare) await prepare(page);
      await page.goto(url, { waitUntil: 'load', timeout: 120_000 });
      return page;
    },
    /** Ends the browser. Fails if a page said or did anything that it should not. */
    async close() {
      await browser.close();
      assert.deepEqual(messages, [], 'messages of the page');
    },
  };
}
