import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../helpers/start-postgres.ts';
import { startRedis } from '../../helpers/start-redis.ts';
import { attempt } from '../attempt.ts';
import { BenchError } from '../bench-error.ts';
import type { BenchRun } from '../bench-run.ts';
import type { ChannelDemo } from '../channels/channel-demo.ts';
import { demos } from '../channels/demos.ts';
import { type Backend, chaosBackends } from '../chaos/backends.ts';
import type { ChatPlatform } from '../chaos/chat-platform.ts';
import { openBotWorkspace, visitorTurns } from '../chaos/installation-client.ts';
import { type ChatRecord, judge, type Verdict } from '../chaos/judge.ts';
import { ProductPool } from '../chaos/product-pool.ts';
import { untilSettled } from '../chaos/until-settled.ts';
import { table } from '../table.ts';

const chats = 50;
const messagesPerChat = 10;
const adminToken = 'a-token-for-the-benchmark';
const quietMs = 8_000;
const longestMs = 180_000;

const played = demos.filter(({ isInChaos }) => isInChaos);

/** Messages of many chats, dealt over all platforms that can be played, while processes are killed at random: what is lost, doubled or out of order. */
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
      `Messages of 50 chats on ${played.map(({ channel }) => channel).join(', ')}, while processes are killed with -9 every few seconds or a server under them fails`,
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
    const troubled = trouble(pool, over.signal);
    const acknowledged = await Promise.all(
      Array.from({ length: chats }, (_, index) => talk(platformOf(platforms, index + 1), index + 1)),
    );
    over.abort();
    await troubled;
    const look = async () => {
      const turns = await visitorTurns(address, workspace);
      return recordsOf(acknowledged, turns, platforms);
    };
    const { records } = await untilSettled(look, { longestMs, quietMs });
    for (const [index, platform] of platforms.entries()) {
      const own = records.filter(({ chat }) => chat % platforms.length === index);
      const faults = faultsOf(judge(own));
      if (faults !== '') run.print(`${name}: ${platform.channel.channel}: ${faults}`);
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
  return (await Promise.all(played.map(start))).flat();
}

/** What should not have happened, in words; empty where nothing did. */
function faultsOf({ acknowledged: _taken, turns: _turns, ...counts }: Verdict): string {
  return Object.entries(counts)
    .flatMap(([fault, count]) => (count > 0 ? [`${fault} ${count}`] : []))
    .join(', ');
}

/** Each platform has as many of the chats as the others. */
function platformOf(platforms: readonly ChatPlatform[], chat: number): ChatPlatform {
  const platform = platforms[chat % platforms.length];
  if (platform === undefined) throw new BenchError('no platform can be played');
  return platform;
}

/** One visitor: each message after the one before was taken; what was taken. */
async function talk(platform: ChatPlatform, chat: number): Promise<readonly string[]> {
  const said: string[] = [];
  for (let index = 1; index <= messagesPerChat; index += 1) {
    const text = `chat ${chat} message ${index}`;
    await platform.tell({ chat, index, text });
    said.push(text);
    await wait(Math.random() * 4_000);
  }
  return said;
}

function recordsOf(
  acknowledged: readonly (readonly string[])[],
  turns: readonly (readonly string[])[],
  platforms: readonly ChatPlatform[],
): readonly ChatRecord[] {
  return acknowledged.map((texts, index) => {
    const chat = index + 1;
    const own = turns.filter((said) => said.some((text) => text.startsWith(`chat ${chat} `)));
    return {
      chat,
      acknowledged: texts,
      turns: own.flat(),
      conversations: own.length,
      answers: platformOf(platforms, chat).sent.get(chat)?.length ?? 0,
    };
  });
}

function rowOf(
  name: string,
  verdict: Verdict,
  { platforms, pool, seconds }: { platforms: readonly ChatPlatform[]; pool: ProductPool; seconds: number },
): string[] {
  const { acknowledged, turns, unanswered, doubled, outOfOrder, answeredTwice, neverAnswered, splitChats } =
    verdict;
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
    ...[neverAnswered, splitChats].map(String),
    seconds.toFixed(0),
  ];
}
