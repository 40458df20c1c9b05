import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { buildApp } from '../../../server/app.ts';
import { type Bundle, hashInputs } from '../../../server/dashboard/bundle.ts';
import { loadBundle } from '../../../server/dashboard/bundle-cache.ts';
import { docsAssets } from '../../../server/docs/assets.ts';
import { type Asset, type AssetSet, loadAssetSet } from '../../../server/pages/assets.ts';
import { widgetAssets } from '../../../server/widget/bundle.ts';
import { nodeArguments } from '../../helpers/node-arguments.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const bundle: Bundle = {
  scheme: 'scheme-1.js',
  main: 'main-1.js',
  preloads: ['chunk-1.js'],
  styles: ['main-1.css'],
  entry: { main: 'entry-1.js', preloads: [], styles: ['entry-1.css'] },
  files: [
    { name: 'main-1.js', bytes: Buffer.from('run()') },
    { name: 'font-1.woff2', bytes: Buffer.from([0x77, 0x4f, 0x46, 0x32, 0xff, 0x00]) },
  ],
};

/** Sources whose bundling is counted. */
function countedSources(hash = 'one') {
  const counted = { builds: 0 };
  const sources = {
    hashInputs: async () => hash,
    bundleBrowserApp: async () => {
      counted.builds += 1;
      return bundle;
    },
  };
  return { counted, sources };
}

const log = createLog('silent');

describe('the bundle of the dashboard', () => {
  test('a second start does not bundle, and has the same files', async () => {
    const folder = join(emptyTestFolder(), 'cache');
    const { counted, sources } = countedSources();
    const first = await loadBundle({ folder, log, sources });
    const second = await loadBundle({ folder, log, sources });
    expect(counted.builds).toBe(1);
    expect(second).toEqual(first);
    expect(second.files.get('font-1.woff2')?.plain).toEqual(bundle.files[1]?.bytes);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => (statSync(join(folder, file)).mode & 0o077) !== 0)).toEqual([]);
  });

  test('other sources are bundled, and the files of the former are deleted', async () => {
    const folder = emptyTestFolder();
    await loadBundle({ folder, log, sources: countedSources('one').sources });
    writeFileSync(join(folder, 'models'), 'of somebody else');
    await loadBundle({ folder, log, sources: countedSources('two').sources });
    expect(readdirSync(folder).sort()).toEqual(['dashboard-two', 'models']);
  });

  test('a folder with a missing file is built again', async () => {
    const folder = emptyTestFolder();
    const { counted, sources } = countedSources();
    await loadBundle({ folder, log, sources });
    rmSync(join(folder, 'dashboard-one', 'main-1.js.br'));
    await loadBundle({ folder, log, sources });
    await loadBundle({ folder, log, sources });
    expect(counted.builds).toBe(2);
  });

  test('a folder that cannot be written to leaves the files in memory', async () => {
    const parent = emptyTestFolder();
    const folder = join(parent, 'cache');
    // A file stands where the folder would be.
    writeFileSync(folder, '');
    const { sources } = countedSources();
    const ready = await loadBundle({ folder, log, sources });
    expect(ready.files.get('main-1.js')?.plain.toString()).toBe('run()');
    expect(readdirSync(parent)).toEqual(['cache']);
  });

  test('two processes that build at once leave one whole folder', async () => {
    const folder = emptyTestFolder();
    mkdirSync(folder, { recursive: true });
    const { counted, sources } = countedSources();
    await Promise.all([loadBundle({ folder, log, sources }), loadBundle({ folder, log, sources })]);
    await loadBundle({ folder, log, sources });
    expect(counted.builds).toBe(2);
    expect(readdirSync(folder)).toEqual(['dashboard-one']);
  });
});

describe('npm run bundle', () => {
  const shipped = join(emptyTestFolder(), 'shipped');
  const command = join(import.meta.dirname, '../../../server/build-browser.ts');
  const running = promisify(execFile)(process.execPath, [...nodeArguments, command, shipped]);
  const mustNotBuild = async () => expect.unreachable('it was built again');

  test('a server that finds its result does not bundle and writes nothing', { timeout: 60_000 }, async () => {
    await running;
    const { runtime } = await openTestServer();
    const DATA_DIR = emptyTestFolder();
    const app = buildApp(
      { ...runtime, config: { ...runtime.config, DATA_DIR } },
      { dashboard: { shipped, sources: { hashInputs, bundleBrowserApp: mustNotBuild } } },
    );
    const open = (url: string) => app.inject({ method: 'GET', url });
    await expect.poll(async () => (await open('/dashboard')).statusCode).toBe(200);
    const { body } = await open('/dashboard');
    const [script = ''] = /\/dashboard\/assets\/main-\w+\.js/.exec(body) ?? [];
    expect((await open(script)).body.length).toBeGreaterThan(100_000);
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  test('the widget and the documentation find theirs, equal to what they would build', {
    timeout: 60_000,
  }, async () => {
    await running;
    const compare = async <Assets extends Readonly<Record<string, Asset>>>(set: AssetSet<Assets>) =>
      expect(await loadAssetSet({ ...set, build: mustNotBuild }, shipped)).toEqual(await set.build());
    await compare(widgetAssets);
    await compare(docsAssets);
  });

  test('every user of the system may read it', { timeout: 60_000 }, async () => {
    await running;
    const modes = readdirSync(shipped).map((name) => statSync(join(shipped, name)).mode & 0o005);
    expect([statSync(shipped).mode & 0o005, ...modes]).toEqual([5, 5, 5, 5]);
  });
});
