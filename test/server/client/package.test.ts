import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { useBundler } from '../../../server/pages/bundler.ts';
import { openStreamServer, question } from '../../helpers/servers/open-stream-server.ts';
import { runTool } from '../../helpers/servers/processes/run-tool.ts';

const root = resolve(import.meta.dirname, '../../..');
const client = join(root, 'server/client');
const folder = mkdtempSync(join(tmpdir(), 'parley-client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { address, workspace } = await openStreamServer();

/** The package as `npm pack` makes it, installed into an empty folder. */
const npm = (...args: readonly string[]) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--offline'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
const packed = npm('pack', client, '--pack-destination', folder).trim().split('\n').at(-1) ?? '';
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
npm('install', join(folder, packed));

test('six lines in an empty folder ask a question and stream it', async () => {
  writeFileSync(
    join(folder, 'ask.js'),
    `import { Parley } from '@parley/sdk';
const parley = new Parley({ apiKey: process.argv[2], baseUrl: process.argv[3] });
const { answer, sources } = await parley.query({ query: process.argv[4] });
const { answer: streamed } = await parley.stream({ query: process.argv[4] }).final();
console.log(JSON.stringify({ answer, streamed, title: sources[0].title }));`,
  );
  const { code, said } = await runTool(join(folder, 'ask.js'), [workspace.key, address, question]);
  expect(code, said).toBe(0);
  expect(said).toContain('three working days');
});

test('each example of the page is checked by the compiler as a stranger has it set', async () => {
  const page = readFileSync(join(root, 'server/docs/pages/sdk.md'), 'utf8');
  const blocks = [...page.matchAll(/```(tsx?)\n([\s\S]*?)```/g)];
  expect(blocks.length).toBeGreaterThanOrEqual(8);
  for (const [index, [, ending, code = '']] of blocks.entries()) {
    writeFileSync(join(folder, `example-${index}.${ending}`), code);
  }
  // A stranger's project has the types of these packages as well.
  mkdirSync(join(folder, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types', '@types/react', 'csstype', 'react']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', strict: true, exactOptionalPropertyTypes: true, noEmit: true },
    ...{ jsx: 'react-jsx', lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'] },
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }),
  );
  const { code, said } = await runTool(join(root, 'node_modules/typescript/bin/tsc'), ['-p', folder]);
  expect(code, said).toBe(0);
});

test('the client has at most 12 kB compressed', async () => {
  const { outputFiles } = await useBundler(({ build }) =>
    build({
      entryPoints: [join(folder, 'node_modules/@parley/sdk/dist/index.js')],
      ...{ bundle: true, format: 'esm', minify: true, write: false },
    }),
  );
  expect(gzipSync(outputFiles[0]?.contents ?? '').byteLength).toBeLessThanOrEqual(12_000);
});
