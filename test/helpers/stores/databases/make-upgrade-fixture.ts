// This script makes test/fixtures/upgrade: a database of the version in a checkout, with rows in every table, as the
// embedded engine and as PostgreSQL store it.
//
//   node test/helpers/stores/databases/make-upgrade-fixture.ts CHECKOUT DATABASE_URL
//
// CHECKOUT has its node_modules; DATABASE_URL names an empty database whose server is as old as the oldest supported one.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { constants, zstdCompressSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import pg from 'pg';
import { z } from 'zod';
import { upgradeFixture } from './upgrade-fixture.ts';

const [checkout = '', databaseUrl = ''] = process.argv.slice(2);
const target = resolve(import.meta.dirname, '../../../fixtures/upgrade');
const adminToken = 'a-token-for-the-tests';
const created = z.looseObject({ id: z.string().default('') });

type Run = (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;

const folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
const facts = {
  embedded: await makeEmbedded(join(folder, 'embedded')),
  postgres: await makePostgres(join(folder, 'postgres')),
};
writeFileSync(join(target, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`);
rmSync(folder, { recursive: true });

async function makeEmbedded(dataDir: string) {
  const made = await useProduct({ DATA_DIR: dataDir });
  const database = await PGlite.create({ dataDir: join(dataDir, 'postgres'), extensions: { vector } });
  await database.exec('set search_path to public, bullmq');
  const run: Run = async (text, values = []) =>
    (await database.query<Record<string, unknown>>(text, [...values])).rows;
  await addRows(run, made);
  const counts = await countRows(run);
  await database.exec('checkpoint');
  const archive = await (await database.dumpDataDir('none')).arrayBuffer();
  await database.close();
  store('embedded.tar.zst', new Uint8Array(archive));
  return { ...made, counts };
}

async function makePostgres(dataDir: string) {
  const made = await useProduct({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('set search_path to public, bullmq');
  const run: Run = async (text, values = []) => (await client.query(text, [...values])).rows;
  await addRows(run, made);
  const counts = await countRows(run);
  await client.end();
  const dump = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', databaseUrl], {
    maxBuffer: 2 ** 28,
  });
  // Instructions to psql are removed, because another client restores the dump.
  const sql = dump.toString().replaceAll(/^\\.*$/gm, '');
  store('postgres.sql.zst', Buffer.from(sql));
  return { ...made, counts };
}

function store(name: string, bytes: Uint8Array): void {
  const params = {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
    [constants.ZSTD_c_windowLog]: 26,
  };
  writeFileSync(join(target, name), zstdCompressSync(bytes, { params }));
}

/** Uses the product as integrators, operators and visitors do; returns what the test has to know. */
async function useProduct(database: Readonly<Record<string, string>>) {
  const environment = {
    PATH: process.env.PATH,
    PORT: '0',
    LOG_LEVEL: 'error',
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEY: upgradeFixture.encryptionKey,
    ...database,
  };
  const program = (path: string, ...args: string[]) =>
    [process.execPath, ['--disable-warning=ExperimentalWarning', join(checkout, path), ...args]] as const;
  // This happens before the first start, which would make a demo.
  const [command, args] = program('server/cli/main.ts', 'workspace', 'create', 'Pottery', '--plan=growth');
  const told = execFileSync(command, [...args, '--json'], { env: environment, cwd: checkout });
  const workspaceId = z.looseObject({ id: z.string() }).parse(JSON.parse(told.toString())).id;

  const [server, words] = program('main.ts', 'server', 'workers');
  const child = spawn(server, words, {
    env: environment,
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  const address = await new Promise<string>((found) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const match = /listens on (http:\S+)/.exec(chunk.toString())?.[1];
      if (match !== undefined) found(match);
    });
  });
  const key = await talk(address, workspaceId);
  child.kill('SIGTERM');
  await ended;
  return { workspaceId, key };
}

async function talk(address: string, workspaceId: string): Promise<string> {
  const as =
    (token: string) =>
    async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
      const isForm = body instanceof FormData;
      const response = await fetch(address + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    };
  const admin = as(adminToken);
  const workspace = `/admin/v1/workspaces/${workspaceId}`;
  const make = async (path: string, body: object) => {
    const text = await admin('POST', workspace + path, body);
    return z.looseObject({ id: z.string().default(''), key: z.string().default('') }).parse(JSON.parse(text));
  };

  const { id: keyId, key: first } = await make('/keys', { name: 'Website', rate_limit_minute: 500 });
  await make('/webhooks', { url: 'https://pots.example/hooks', events: ['*'] });
  const hook = await make('/webhooks', {
    url: 'https://pots.example/other',
    events: ['conversation.created'],
  });
  await make(`/webhooks/${hook.id}/rotate`, { grace_seconds: 60 });
  await make('/skills', {
    name: 'glaze_stock',
    description: 'Looks up whether a glaze is in stock.',
    parameters: { type: 'object', properties: { glaze: { type: 'string' } }, required: ['glaze'] },
    url: 'https://127.0.0.1/glaze-stock',
  });
  await make('/channels', { channel: 'widget', settings: { title: 'Pots?', attachments: true } });
  await make('/channels', {
    channel: 'telegram',
    name: 'Pots on Telegram',
    credentials: { bot_token: '1:a-bot-token' },
    settings: { mode: 'polling', verify: false, api_base_url: 'http://127.0.0.1:9' },
  });
  await make('/documents?wait=true', {
    title: 'Delivery',
    content: 'Parcels to Norway arrive within nine days.',
    url: 'https://pots.example/d',
  });
  await make('/documents?wait=true', { title: 'Glazes', content: 'Glazes are mixed by hand.', audience: [] });

  const integrator = as(first);
  const question = 'How long do parcels to Norway take?';
  const asked = await integrator(
    'POST',
    '/v1/query',
    { query: question, session_id: 's1', customer: { email: 'ada@pots.example', name: 'Ada' } },
    { 'idempotency-key': 'first' },
  );
  const { conversation_id: conversationId, message_id: messageId } = z
    .looseObject({ conversation_id: z.string(), message_id: z.string() })
    .parse(JSON.parse(asked));
  const conversation = `/v1/conversations/${conversationId}`;
  await integrator('POST', `${conversation}/notes`, { content: 'Ask.', author_email: 'kim@pots.example' });
  await integrator('PATCH', conversation, { tags: ['norway'], priority: 'high', status: 'resolved' });
  await integrator('POST', `${conversation}/messages/${messageId}/feedback`, {
    value: 'down',
    comment: 'Slow.',
  });
  await visit(as, question, workspaceId);
  const rotated = await make(`/keys/${keyId}/rotate`, { grace_seconds: 600 });
  // Deliveries are tried, and fail.
  await wait(3_000);
  return rotated.key;
}

type As = (
  token: string,
) => (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<string>;

async function visit(as: As, question: string, workspaceId: string): Promise<void> {
  const { public_token: token } = z
    .looseObject({ public_token: z.string() })
    .parse(JSON.parse(await as(adminToken)('GET', `/admin/v1/workspaces/${workspaceId}`)));
  const opened = await as('none')('POST', `/widget/${token}/session`, {});
  const visitor = as(z.looseObject({ session: z.string() }).parse(JSON.parse(opened)).session);
  const form = new FormData();
  form.set('file', new Blob(['The pot that came is broken.']), 'pot.txt');
  const file = created.parse(JSON.parse(await visitor('POST', `/widget/${token}/files`, form)));
  await visitor('POST', `/widget/${token}/ask`, { query: question, files: [file.id] });
  await visitor('POST', `/widget/${token}/human`, { query: 'I would like to talk to a person.' });
  await visitor('POST', `/widget/${token}/contact`, { email: 'bo@pots.example' });
}

/** Adds the rows that platforms, other processes and time would add. */
async function addRows(run: Run, { workspaceId }: { readonly workspaceId: string }): Promise<void> {
  const [telegram] = await run(`select id from channel where channel = 'telegram'`);
  const [answer] = await run(
    `select id, conversation_id from message where role = 'assistant' order by created_at limit 1`,
  );
  const channelId = String(telegram?.id);
  const conversationId = String(answer?.conversation_id);
  await run(
    `insert into lane (channel_id, lane, workspace_id, address, conversation_id, heard_at, sender)
     values ($1, '7', $2, '{"chat": 7, "kind": "private", "topic": null}', $3, now(), '7')`,
    [channelId, workspaceId, conversationId],
  );
  await run(
    `insert into inbound_event (channel_id, workspace_id, event_id, lane, native, received_at, settled_at, handled_at)
     values ($1, $2, '100', '7', '{"update_id": 100}', now(), now(), now()),
            ($1, $2, '101', '7', '{"update_id": 101}', now(), now(), null)`,
    [channelId, workspaceId],
  );
  await run(
    `insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content, status,
                                created_at, next_attempt_at, sent_at, platform_message_id)
     values ($1, $2, '7', $3, $4, 0, 'bot', '{"text": "Nine days."}', 'sent', now(), now(), now(), '55'),
            ($1, $2, '7', $3, $4, 1, 'bot', '{"text": "From Oslo."}', 'waiting', now(), now(), null, null)`,
    [channelId, workspaceId, conversationId, String(answer?.id)],
  );
  await run(`insert into channel_memory values ($1, 'name', '"Ada"', now())`, [channelId]);
  await run(`insert into send_budget (channel_id, key, spoken_until) values ($1, 'chat 7', now())`, [
    channelId,
  ]);
  await run(`insert into install_link values ('hash-of-a-token', $1, $2, now() + interval '1 day')`, [
    channelId,
    workspaceId,
  ]);
  await run(`update conversation set summary = 'Asks about parcels.', summary_until = 2 where id = $1`, [
    conversationId,
  ]);
  await run(
    `insert into document (id, workspace_id, source_key, title, title_given, status, created_at, updated_at)
     values ('doc_waiting', $1, 'waiting.txt', 'Waiting', true, 'queued', now(), now())`,
    [workspaceId],
  );
  await run(
    `insert into document_upload select number, 1, 0, 'Text.' from document where id = 'doc_waiting'`,
  );
  await run(`insert into token_bucket values ('ask 127.0.0.1', 2.5, now()) on conflict do nothing`);
  await run(`insert into process values ('proc_ended', '{server}', now(), now()) on conflict do nothing`);
  await run(
    `insert into key_in_flight select id, 'proc_ended', 1, 1, 0 from api_key limit 1 on conflict do nothing`,
  );
}

/** Rows of each table; throws if one is empty. */
async function countRows(run: Run): Promise<Readonly<Record<string, number>>> {
  const tables = await run(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename collate "C"`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    if (String(name).includes('migration')) continue;
    const [row] = await run(`select count(*)::int as count from ${String(name)}`);
    if (row?.count === 0) throw new Error(`${String(name)} is empty`);
    counts[String(name)] = Number(row?.count);
  }
  return counts;
}
