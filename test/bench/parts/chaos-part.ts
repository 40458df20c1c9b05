import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../helpers/stores/databases/start-postgres.ts';
import { startRedis } from '../../helpers/stores/databases/start-redis.ts';
import { attempt } from '../attempt.ts';
import { BenchError } from '../bench-error.ts';
import type { BenchRun } from '../bench-run.ts';
import type { ChannelDemo } from '../channels/channel-demo.ts';
import { demos } from '../channels/demos.ts';
import { type Backend, chaosBackends } from '../chaos/backends.ts';
import { type ChatRecord, chatRecord, messageText, type StoredConversation } from '../chaos/chat-record.ts';
import { openBotWorkspace, storedConversations } from '../chaos/installation-client.ts';
import { judge, type Verdict } from '../chaos/judge.ts';
import type { ChatPlatform } from '../chaos/platforms/chat-platform.ts';
import { ProductPool } from '../chaos/product-pool.ts';
import { untilSettled } from '../chaos/until-settled.ts';
import { table } from '../table.ts';

const chats = 50;
const messagesPerChat = 10;
const adminToken = 'a-token-for-the-benchmark';
const quietMs = 8_000;
const longestMs = 180_000;

/**
 * Sends messages of many chats over the platforms of all channels while processes are killed at random, and counts
 * lost, doubled and reordered messages.
 */
export async function chaosPart(run: BenchRun): Promise<void> {
  const rows: string[][] = [];
  const folder = join(run.folder, 'chaos');
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(folder, 'postgres'));
  const redis = await startRedis(join(folder, 'redis'));
  try {
    for (const backend of await chaosBackends({ folder, adminToken, postgres, redis })) {
      await attempt(run, async () => {
        run.progress(`chaos: ${backend.name}`);
        rows.push(await play(run, backend));
      });
    }
  } finally {
    await postgres?.stop();
    await redis?.stop();
  }
  run.print(
    table(
      `Messages of 50 chats on ${demos.map(({ channel }) => channel).join(', ')}, while processes are killed with -9 every few seconds or a server under them fails`,
      [
        'queue',
        'messages',
        'turns',
        'kills',
        'lost',
        'twice stored',
        'out of order',
        'answered twice',
        'answers lost with a process',
        'never answered',
        'answers not kept',
        'chats split',
        'seconds',
      ],
      rows,
    ),
  );
}

async function play(run: BenchRun, { name, members, trouble }: Backend): Promise<string[]> {
  const platforms = await startAll(run);
  const pool = new ProductPool(members);
  try {
    await pool.start();
    const address = members[0]?.environment.PUBLIC_URL ?? '';
    const workspace = await openBotWorkspace({ address, adminToken }, platforms);
    const startedAt = performance.now();
    const over = new AbortController();
    const talking = Promise.all(
      Array.from({ length: chats }, (_, index) => talk(platformOf(platforms, index + 1), index + 1)),
    ).finally(() => over.abort());
    const [acknowledged] = await Promise.all([talking, trouble(pool, over.signal)]);
    const look = async () =>
      recordsOf(acknowledged, await storedConversations(address, workspace), platforms);
    const { records } = await untilSettled(look, { longestMs, quietMs });
    for (const [index, platform] of platforms.entries()) {
      const own = records.filter(({ chat }) => chat % platforms.length === index);
      tellFaults(run, `${name}: ${platform.channel.channel}`, judge(own));
    }
    const verdict = judge(records);
    return rowOf(name, verdict, { platforms, pool, seconds: (performance.now() - startedAt) / 1_000 });
  } finally {
    pool.end();
    for (const platform of platforms) await platform.close();
  }
}

async function startAll(run: BenchRun): Promise<readonly ChatPlatform[]> {
  const start = async ({ channel, needs, start: begin }: ChannelDemo) => {
    const platform = await begin(run.folder);
    if (platform === null) run.print(`chaos: without ${channel}, which needs ${needs}`);
    return platform === null ? [] : [platform];
  };
  return (await Promise.all(demos.map(start))).flat();
}

/** Reports what should not have happened. Only an answer that was taken when its process died may be given again. */
function tellFaults(
  run: BenchRun,
  where: string,
  { acknowledged: _taken, turns: _turns, answeredTwice, ...faults }: Verdict,
): void {
  const counts = Object.entries({ ...faults, answeredTwice }).filter(([, count]) => count > 0);
  if (counts.length === 0) return;
  const words = `${where}: ${counts.map(([fault, count]) => `${fault} ${count}`).join(', ')}`;
  if (Object.values(faults).some((count) => count > 0)) run.fail(words);
  else run.print(words);
}

/** Each platform has as many of the chats as the others. */
function platformOf(platforms: readonly ChatPlatform[], chat: number): ChatPlatform {
  const platform = platforms[chat % platforms.length];
  if (platform === undefined) throw new BenchError('no platform can be played');
  return platform;
}

/** Lets one visitor send their messages, each after the one before was accepted, and returns the accepted ones. */
async function talk(platform: ChatPlatform, chat: number): Promise<readonly string[]> {
  const said: string[] = [];
  for (let index = 1; index <= messagesPerChat; index += 1) {
    const text = messageText(chat, index);
    await platform.tell({ chat, index, text });
    said.push(text);
    await wait(Math.random() * 4_000);
  }
  return said;
}

function recordsOf(
  acknowledged: readonly (readonly string[])[],
  stored: readonly StoredConversation[],
  platforms: readonly ChatPlatform[],
): readonly ChatRecord[] {
  return acknowledged.map((texts, index) => {
    const chat = index + 1;
    const answers = platformOf(platforms, chat).sent.get(chat)?.length ?? 0;
    return chatRecord(stored, { chat, acknowledged: texts, answers });
  });
}

function rowOf(
  name: string,
  verdict: Verdict,
  { platforms, pool, seconds }: { platforms: readonly ChatPlatform[]; pool: ProductPool; seconds: number },
): string[] {
  const { acknowledged, turns, unanswered, doubled, outOfOrder, answeredTwice } = verdict;
  return [
    name,
    ...[
      acknowledged,
      turns,
      pool.kills,
      unanswered,
      doubled,
      outOfOrder,
      answeredTwice,
      platforms.reduce((lost, platform) => lost + platform.lostAnswers(), 0),
    ].map(String),
    ...[verdict.neverAnswered, verdict.answersNotKept, verdict.splitChats].map(String),
    seconds.toFixed(0),
  ];
}
