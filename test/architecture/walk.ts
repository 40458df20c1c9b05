// This script prints the files that one Telegram message and one POST /v1/query pass through, in order, with a star
// before those that decide something about it, the spine: `npm run walk`. An argument is a data folder of its own,
// which is removed. Each is walked several times and counts the files that every walk enters: background work, such
// as the counts of keys, falls into some of them.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectors, findConnector } from '../../connectors/registry.ts';
import { createLog } from '../../core/base/log.ts';
import { readConfig } from '../../core/config/config.ts';
import { Authority } from '../../core/members/authority.ts';
import { openRuntime } from '../../core/runtime/runtime.ts';
import { start as startServer } from '../../server/main.ts';
import { openSocketTools } from '../../workers/answer/live-answer.ts';
import { start as startWorkers } from '../../workers/main.ts';
import { takeEnteredFiles } from './record-files.ts';

/** Files that serve every request or message alike, storage, and data about languages: no part of the spine. */
const BESIDE_THE_SPINE =
  /^(?:core\/(?:base|contract|config|storage|language|models|metrics|queue|limits|webhooks|health|knowledge\/embedding|answering\/(?:small-talk|skills|safety))\/|server\/(?:plugins\/|metrics|drain|deadline|request-context))/;

const question = 'When is the shop open?';
const bot = { id: 7_000_001, is_bot: true, username: 'walk_bot', first_name: 'Walk' };
const walks = 4;

const folder = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'parley-walk-')));
let sent = Promise.withResolvers<void>();
const telegram = createServer((request, response) => {
  const method = request.url?.split('/').at(-1) ?? '';
  const message = {
    message_id: 1,
    date: 1_800_000_000,
    chat: { id: 42, type: 'private' },
    from: bot,
    text: '',
  };
  request.resume();
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      ok: true,
      result: method === 'getMe' ? bot : method.startsWith('send') ? message : true,
    }),
  );
  if (method === 'sendMessage') sent.resolve();
});
telegram.listen(0, '127.0.0.1');
await once(telegram, 'listening');
const address = telegram.address();
const telegramPort = typeof address === 'object' ? address?.port : undefined;

const config = readConfig({
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: folder,
  ADMIN_TOKEN: 'a-token-for-the-walk-of-32-letters',
  LOG_LEVEL: 'silent',
  ALLOW_PRIVATE_CHANNELS: 'true',
  PUBLIC_URL: 'http://127.0.0.1',
});
const runtime = await openRuntime(config, createLog(config.LOG_LEVEL), {
  connectors: { connectors, findConnector },
  openSocketTools,
});
const server = await startServer(runtime);
const workers = await startWorkers(runtime, []);

const { workspace } = await runtime.workspaces.create({ name: 'Walk' });
const { value: key } = await runtime.apiKeys.create(workspace.id, {
  name: 'Walk',
  rateLimitMinute: 1_000,
  rateLimitDay: 10_000,
});
await runtime.documents.add({
  workspaceId: workspace.id,
  bytes: Buffer.from('# Opening hours\n\nThe shop is open on weekdays from nine to five.'),
  audience: [],
});
const channel = await runtime.channels.create(Authority.operator(workspace), {
  channel: 'telegram',
  name: 'Walk',
  credentials: { bot_token: '7000001:the-secret-key-of-the-bot' },
  settings: { mode: 'webhook', api_base_url: `http://127.0.0.1:${telegramPort}` },
  enabled: true,
});
const account = await runtime.channelAccounts.account(channel.id);

const ask = async () => {
  const response = await fetch(`${server.address}/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: question }),
  });
  return response.text();
};
const post = (id: number) =>
  fetch(`${server.address}/webhooks/${channel.id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-telegram-bot-api-secret-token': account?.secret ?? '',
    },
    body: JSON.stringify({
      update_id: id,
      message: {
        message_id: id,
        date: 1_800_000_000,
        // Every message comes from a visitor who has not written before.
        chat: { id: 42 + id, type: 'private' },
        from: { ...bot, id: 42 + id, is_bot: false },
        text: question,
      },
    }),
  });

while (!(await ask()).includes('nine to five')) takeEnteredFiles();
print('POST /v1/query', await walk(ask));
print(
  'One Telegram message',
  await walk(async (round) => {
    sent = Promise.withResolvers<void>();
    await post(round);
    await sent.promise;
  }),
);

await Promise.all([server.stop(), workers.stop()]);
await runtime.close();
telegram.close();
await rm(folder, { recursive: true, force: true });
process.exit(0);

/** The files that each of several runs of `step` entered, in the order of the last one. */
async function walk(step: (round: number) => Promise<unknown>): Promise<readonly string[]> {
  let common: ReadonlySet<string> | undefined;
  for (let round = 1; round <= walks; round += 1) {
    takeEnteredFiles();
    await step(round);
    const entered = takeEnteredFiles();
    common = new Set(common ? entered.filter((file) => common?.has(file)) : entered);
  }
  return [...(common ?? [])];
}

function print(title: string, files: readonly string[]): void {
  const spine = files.filter((file) => !BESIDE_THE_SPINE.test(file));
  const lines = files.map((file) => `${spine.includes(file) ? '* ' : '  '}${file}\n`);
  process.stdout.write(`${title}: ${spine.length} spine files of ${files.length}\n${lines.join('')}`);
}
