import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { readHolder } from '../../../core/storage/embedded/data-folder-lock.ts';
import { start } from '../../../server/main.ts';
import { runIngestWorker } from '../../../workers/ingest/worker.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import { doParley } from '../../helpers/servers/processes/do-parley.ts';
import { type CommandResult, runParley } from '../../helpers/servers/processes/run-parley.ts';
import { startParley } from '../../helpers/servers/processes/start-parley.ts';

const work = mkdtempSync(join(tmpdir(), 'parley-cli-'));
let runtime: Runtime;
let environment: Record<string, string>;
let page: string;
const pages = createServer((_request, response) =>
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end('<title>Gift cards</title><p>A gift card is valid for three years from the day it was bought.</p>'),
);

async function parley(...args: readonly string[]): Promise<CommandResult> {
  return doParley(args, environment);
}

async function parleyJson(...args: readonly string[]) {
  const run = await parley(...args, '--json');
  expect(run.code, run.stderr).toBe(0);
  return JSON.parse(run.stdout);
}

beforeAll(async () => {
  runtime = await openTestRuntime();
  const server = await start(runtime);
  afterAll(() => server.stop());
  environment = { DATA_DIR: runtime.config.DATA_DIR, ADMIN_TOKEN: runtime.installation.adminToken };
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const address = pages.address();
  page = typeof address === 'object' ? `http://127.0.0.1:${address?.port}/cards#top` : '';
  await runtime.workspaces.create({ name: 'Help' });
});
afterAll(() => {
  pages.closeAllConnections();
  pages.close();
  rmSync(work, { recursive: true });
});

describe('the command line with a running server', () => {
  test('Ctrl-C ends the wait, and the document stays queued until workers run', async () => {
    writeFileSync(join(work, 'returns.md'), '# Returns\n\nSend it back within 30 days for a full refund.\n');
    const { child, ended } = startParley(['document', 'add', 'returns.md'], { environment, cwd: work });
    await expect
      .poll(async () => (await parleyJson('document', 'list')).documents.length, { timeout: 20_000 })
      .toBe(1);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringContaining('parley: Stopped.'),
    });
    expect((await parley('document', 'list', '--status', 'queued')).stdout).toContain('returns.md');
    const stop = await runIngestWorker(runtime);
    afterAll(stop);
  });

  test('fetches a page from a private network only on request', async () => {
    const refused = await parley('document', 'add', page);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(
      /127\.0\.0\.1 is not a public address\. Add --allow-private if you trust the server\./,
    );
    const { documents } = await parleyJson('document', 'add', page, '--allow-private');
    expect(documents).toMatchObject([
      {
        source: page,
        failure: null,
        document: { title: 'Gift cards', status: 'indexed', url: page.replace('#top', '') },
      },
    ]);
  });

  test('answers a question with sources and revokes the temporary key', async () => {
    const [answer, found] = await Promise.all([
      parleyJson('ask', 'How long is a gift card valid?'),
      parley('search', 'gift card valid'),
    ]);
    expect(answer).toMatchObject({
      answer: expect.stringContaining('three years'),
      sources: [{ title: 'Gift cards' }],
    });
    expect(found.stdout).toMatch(
      /^1\. [01]\.\d{3} {2}Gift cards {2}http.*\n {3}bm25 .* cosine .*\n {3}A gift card/,
    );
    const again = await parley(
      'ask',
      'Which zeppelins fly to Madagascar on Sundays?',
      '--conversation',
      answer.conversation_id,
    );
    expect(again.stdout).toMatch(
      new RegExp(`confidence +low: .*\nconversation +${answer.conversation_id}\n$`),
    );
    expect(await parleyJson('key', 'list')).toEqual({ keys: [] });
  });

  test('backs up the running database, checks the backup, and restores it elsewhere', async () => {
    const taken = await parleyJson('backup', '--to', join(work, 'backups'));
    expect((await parley('backup', 'verify', taken.folder)).code).toBe(0);
    const restored = join(work, 'restored');
    mkdirSync(restored);
    copyFileSync(join(runtime.config.DATA_DIR, 'encryption-key'), join(restored, 'encryption-key'));
    const run = await doParley(['restore', taken.folder, '--json'], { DATA_DIR: restored });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ tables: taken.tables, rows: taken.rows });
    truncateSync(join(taken.folder, 'postgres', 'PG_VERSION'));
    expect(await parley('backup', 'verify', taken.folder)).toMatchObject({
      code: 1,
      stdout: 'postgres/PG_VERSION has 0 bytes instead of 3.\n',
      stderr: expect.stringMatching(
        /^parley: The backup .* is not whole\. Use another one\. \(backup_not_whole\)\n$/,
      ),
    });
    expect((await parley('backup', '--server', 'http://127.0.0.1:1')).code).toBe(2);
  });

  test('creates keys, lists them without their values, and revokes them', async () => {
    const key = await parleyJson(
      'key',
      'create',
      'Backend',
      '--minute',
      '10',
      '--expires',
      '2100-01-01T00:00:00Z',
      '--scope',
      'query,usage:read',
      '--own',
    );
    const made = { scopes: ['query', 'usage:read'], workspaces: 'own', key: expect.stringMatching(/^pk_/) };
    expect(key).toMatchObject({ name: 'Backend', rate_limit_minute: 10, ...made });
    const listed = await parley('key', 'list');
    expect(listed.stdout).toMatch(
      new RegExp(`${key.id} +Backend +10 +1000 +2100-01-01 00:00.+query, usage:read`),
    );
    expect(listed.stdout).not.toContain(key.key);
    expect((await parley('key', 'revoke', key.id)).code).toBe(0);
    const again = await parley('key', 'revoke', key.id);
    expect(again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^parley: .* \(key_not_found\)\n\S/),
    });
  });

  test('ignores a closed pipe', async () => {
    const runs = [['workspace', 'list'], ['--help']].map((args) => startParley(args, { environment }));
    for (const { child } of runs) child.stdout?.destroy();
    for (const { ended } of runs) expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('requires a choice between two workspaces, and asks before deleting one', async () => {
    const shop = await parleyJson(
      'workspace',
      'create',
      'Shop',
      '--plan',
      'free',
      '--set',
      'audiences=staff',
    );
    expect(shop).toMatchObject({ plan: 'free', settings: { audiences: ['staff'] } });
    const [unclear, refused, unsure, unknown] = await Promise.all([
      parley('document', 'list'),
      parley('ask', 'Anything?', '--workspace', 'Shop'),
      runParley(['workspace', 'delete', 'Shop'], { environment }),
      parley('document', 'show', 'doc_none', '--workspace', 'Help'),
    ]);
    expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining(`${shop.id}  Shop`) });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/feature_not_in_plan.*\n.*--plan starter/),
    });
    expect(unsure).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('(document_not_found)') });
    const changed = await parleyJson(
      'workspace',
      'update',
      'Shop',
      '--name',
      'Store',
      '--set',
      'audiences=null',
    );
    expect(changed).toMatchObject({ name: 'Store', settings: {} });
    expect((await parley('workspace', 'delete', 'Store', '--yes')).code).toBe(0);
    expect((await parleyJson('workspace', 'list')).workspaces).toMatchObject([{ name: 'Help' }]);
  });

  test('shows and removes a document', async () => {
    const { documents } = await parleyJson('document', 'list');
    const { id } = documents.find((document: { title: string }) => document.title === 'Gift cards');
    expect((await parley('document', 'show', id)).stdout).toMatch(/title +Gift cards\n/);
    expect((await parley('document', 'remove', id)).code).toBe(0);
    expect((await parley('document', 'list')).stdout).not.toContain('Gift cards');
  });

  test('uses another server by its URL, and reports an invalid token', async () => {
    const server = new URL('/', readHolder(runtime.config.DATA_DIR)?.address).href;
    const elsewhere = mkdtempSync(join(tmpdir(), 'parley-none-'));
    const [good, wrong, none, unreachable] = await Promise.all([
      runParley(['workspace', 'list', '--server', server], {
        environment: { ...environment, DATA_DIR: elsewhere },
      }),
      doParley(['workspace', 'list', '--server', server], {
        DATA_DIR: elsewhere,
        ADMIN_TOKEN: 'a-token-that-is-wrong',
      }),
      doParley(['workspace', 'list', '--server', server], { DATA_DIR: elsewhere }),
      doParley(['workspace', 'list', '--server', 'http://127.0.0.1:1'], environment),
    ]);
    rmSync(elsewhere, { recursive: true });
    expect(good.stdout).toContain('Help');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/invalid_key.*\nSet ADMIN_TOKEN/) });
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('(missing_auth)') });
    expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining('(server_unreachable)') });
  });
});
