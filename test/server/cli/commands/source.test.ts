import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { doParley } from '../../../helpers/servers/processes/do-parley.ts';
import { emptyTestFolder } from '../../../helpers/stores/databases/test-data-folder.ts';

const folder = emptyTestFolder();
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'hours.md'), '# Hours\n\nWe open at nine.');
const server = await openTestServer({ runtime: { environment: { SOURCE_FOLDERS: folder } } });
const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
const { config, installation } = server.runtime;
const environment = { DATA_DIR: config.DATA_DIR, ADMIN_TOKEN: installation.adminToken };
const run = (...args: string[]) => doParley(['--server', address, ...args], environment);
await server.makeWorkspace({ name: 'Shop' });

test('the command line adds, shows, pauses, runs and deletes sources', async () => {
  expect((await run('source', 'list')).stdout).toContain('source add website URL');
  const options = ['--name', 'Handbook', '--every', '12h', '--exclude', '*.pdf,/drafts/**'];
  const added = await run('source', 'add', 'folder', folder, ...options, '--json');
  const { id, ...source } = JSON.parse(added.stdout);
  expect(source).toMatchObject({
    ...{ name: 'Handbook', kind: 'folder', settings: { path: folder }, schedule_minutes: 720 },
    ...{ exclude: ['*.pdf', '/drafts/**'], max_items: 2_000, last_run: { state: 'queued' } },
  });
  expect((await run('source', 'list')).stdout).toMatch(/folder +Handbook +0 .* queued/);
  expect((await run('source', 'pause', id)).stdout).toMatch(/paused +true/);
  expect(await run('source', 'run', id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('source_paused'),
  });
  expect((await run('source', 'resume', id)).stdout).toMatch(/paused +false/);
  expect((await run('source', 'run', id)).stdout).toMatch(/last_run +2: queued/);
  expect((await run('source', 'cancel', id)).code).toBe(0);
  expect((await run('source', 'run', id, '--full', '--json')).stdout).toContain('"full": true');
  expect(await run('source', 'apply', id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('source_not_held'),
  });
  expect((await run('source', 'show', id)).stdout).toContain('Handbook');
  expect((await run('source', 'items', id, '--state', 'failed')).stdout).toBe(
    'No item has the state failed.\n',
  );
  expect((await run('source', 'delete', id)).stdout).toBe(`Deleted ${id}.\n`);
  expect(await run('source', 'show', id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('source_not_found'),
  });
});

test('the command line shows what a source would read, and stores nothing', async () => {
  const preview = await run('source', 'add', 'folder', folder, '--preview');
  expect(preview).toMatchObject({ code: 0, stdout: expect.stringMatching(/hours\.md +read/) });
  expect((await run('source', 'list', '--json')).stdout).toContain('"sources": []');
  expect(await run('source', 'add', 'folder', '/etc', '--preview')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('SOURCE_FOLDERS'),
  });
});

test('numbers of a kind are given as text on the command line', async () => {
  const set = ['--set', 'requests_per_second=4', '--set', 'max_depth=2', '--set', 'prefer_markdown=false'];
  const added = await run('source', 'add', 'website', 'https://acme.example', ...set, '--json');
  const { id, settings } = JSON.parse(added.stdout);
  expect(settings).toEqual({
    ...{ url: 'https://acme.example', requests_per_second: 4, max_depth: 2, prefer_markdown: false },
  });
  const wrong = await run('source', 'add', 'website', 'https://acme.example', '--set', 'max_depth=deep');
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('settings.max_depth') });
  await run('source', 'delete', id);
});

test('a sitemap is not a document, and the command line says how to add it', async () => {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'application/xml');
    response.end('<?xml version="1.0"?><urlset><url><loc>https://acme.example/</loc></url></urlset>');
  });
  afterAll(() => site.close());
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  const bound = site.address();
  const port = typeof bound === 'object' ? bound?.port : 0;
  const url = `http://127.0.0.1:${port}/sitemap.xml`;
  const added = await run('document', 'add', url, '--allow-private', '--json');
  expect(added.code).toBe(1);
  expect(added.stdout).toContain(`source add website ${url}`);
});
