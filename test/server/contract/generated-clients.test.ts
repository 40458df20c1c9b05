import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { useBundler } from '../../../server/pages/bundler.ts';
import { runIngestWorker as ingest } from '../../../workers/ingest/worker.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { runTool } from '../../helpers/servers/processes/run-tool.ts';
import { openApiClient } from '../../helpers/servers/walks/api-client.ts';

const { app, runtime, query, makeWorkspace } = await openTestServer();
await runtime.processes.addRole('workers');
afterAll(await ingest(runtime));
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
const workspace = await makeWorkspace();
const { conversation_id: conversationId } = (
  await query(workspace.key, { query: 'Do you sell socks?' })
).json();
const adminToken = runtime.installation.adminToken;
const text = 'Parcels to Norway arrive within nine days.';
const uploaded = { status: 'indexed', file_name: 'delivery.txt', content_type: 'text/plain' };
const noted = { content: 'Asked twice.', author: 'peter@example.com' };

test('a client of openapi-typescript and openapi-fetch uploads a file and adds a note', async () => {
  const operator = openApiClient({ baseUrl, token: adminToken });
  const form = new FormData();
  form.append('file', new File([text], 'delivery.txt', { type: 'text/plain' }));
  const document = await operator.POST('/admin/v1/workspaces/{workspace_id}/documents/upload', {
    params: { path: { workspace_id: workspace.id }, query: { wait: 'true' } },
    // Its types have no files, so a serializer builds the form.
    body: { file: 'delivery.txt' },
    bodySerializer: () => form,
  });
  expect(document.data).toMatchObject(uploaded);
  const integrator = openApiClient({ baseUrl, token: workspace.key });
  const note = await integrator.POST('/v1/conversations/{conversation_id}/notes', {
    params: { path: { conversation_id: conversationId } },
    body: { content: 'Asked twice.', author_email: 'peter@example.com' },
  });
  expect(note.data).toMatchObject(noted);
});

const program = `
import { Api } from './client.ts';

const [baseUrl = '', adminToken = '', key = '', workspaceId = '', conversationId = ''] = process.argv.slice(2);
const as = (token: string) =>
  new Api({ baseUrl, baseApiParams: { headers: { authorization: 'Bearer ' + token } } });
const file = new File([${JSON.stringify(text)}], 'delivery.txt', { type: 'text/plain' });
const document = await as(adminToken).admin.uploadDocument(workspaceId, { file }, { wait: 'true' });
const note = await as(key).v1.addNote(conversationId, {
  content: 'Asked twice.',
  author_email: 'peter@example.com',
});
const status: 'queued' | 'indexing' | 'indexed' | 'failed' | 'deleted' = document.data.status;
console.log(JSON.stringify({ document: { ...document.data, status }, note: note.data }));
`;

test('a client of swagger-typescript-api is type-checked, uploads a file and adds a note', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-client-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const description = join(folder, 'openapi.json');
  writeFileSync(description, (await app.inject({ method: 'GET', url: '/openapi.json' })).body);
  const generator = 'node_modules/swagger-typescript-api/dist/cli.mjs';
  const generated = await runTool(generator, [
    'generate',
    '-p',
    description,
    '-o',
    folder,
    '-n',
    'client.ts',
  ]);
  expect(generated.code, generated.said).toBe(0);
  writeFileSync(join(folder, 'use.ts'), program);
  const checked = await runTool('node_modules/typescript/bin/tsc', [
    ...['--noEmit', '--strict', '--target', 'esnext', '--module', 'esnext', '--moduleResolution', 'bundler'],
    ...['--lib', 'esnext,dom,dom.iterable', '--allowImportingTsExtensions', '--ignoreConfig'],
    ...['--typeRoots', 'node_modules/@types', '--types', 'node'],
    join(folder, 'use.ts'),
  ]);
  expect(checked.code, checked.said).toBe(0);
  const bundle = join(folder, 'use.mjs');
  await useBundler(({ build }) =>
    build({
      entryPoints: [join(folder, 'use.ts')],
      outfile: bundle,
      bundle: true,
      format: 'esm',
      platform: 'node',
    }),
  );
  const used = await runTool(bundle, [baseUrl, adminToken, workspace.key, workspace.id, conversationId]);
  expect(used.code, used.said).toBe(0);
  const said = z.object({ document: z.unknown(), note: z.unknown() }).parse(JSON.parse(used.said));
  expect(said).toMatchObject({ document: uploaded, note: noted });
});
