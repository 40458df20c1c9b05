import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../../helpers/stores/databases/start-postgres.ts';
import { attempt } from '../../attempt.ts';
import type { BenchRun } from '../../bench-run.ts';
import { type Backend, chaosBackends } from '../../chaos/backends.ts';
import {
  type ChatRecord,
  chatRecord,
  messageText,
  type StoredConversation,
} from '../../chaos/chat-record.ts';
import { openBotWorkspace, storedConversations } from '../../chaos/installation-client.ts';
import { judge, type Verdict } from '../../chaos/judge.ts';
import { type SlackPlatform, startSlackPlatform } from '../../chaos/platforms/slack-platform.ts';
import { postUntilTaken } from '../../chaos/post-until-taken.ts';
import { type PoolMember, ProductPool } from '../../chaos/product-pool.ts';
import { untilSettled } from '../../chaos/until-settled.ts';
import { milliseconds } from '../../format.ts';
import { quantile } from '../../quantile.ts';
import { table } from '../../table.ts';

const threads = 50;
const threadsPerChannel = 2;
const seconds = 10;
const adminToken = 'a-token-for-the-benchmark';
const wantedMs = 100;
const longestMs = 300_000;
const quietMs = 5_000;

const header = [
  'installation',
  'events',
  'told again',
  'ack p50',
  'ack p95',
  'ack p99',
  'slowest',
  'turns',
  'answered',
  'lost',
  'doubled',
  'out of order',
  'answered twice',
  'all answered after',
];

/**
 * Measures how fast events of Slack are acknowledged under a steady load, and whether each is answered once and in
 * order.
 */
export async function slackPart(run: BenchRun): Promise<void> {
  const folder = join(run.folder, 'slack');
  const title = `Slack: ${run.eventsPerSecond} events a second for ${seconds} seconds, from ${threads} threads in ${threads / threadsPerChannel} channels`;
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(folder, 'postgres'));
  try {
    const backends = await chaosBackends({ folder, adminToken, postgres, redis: null });
    for (const { name, members } of installationsOf(backends)) {
      await attempt(run, async () => {
        run.progress(`slack: ${name}`);
        // Each table is printed at once, because a later one may take long.
        run.print(table(title, header, [await play(name, members, run)]));
      });
    }
  } finally {
    await postgres?.stop();
  }
}

interface Installation {
  readonly name: string;
  readonly members: readonly PoolMember[];
}

/**
 * The installations without faults: single processes, and pools, which share the cores of this machine with their
 * database.
 */
function installationsOf(backends: readonly Backend[]): readonly Installation[] {
  return backends
    .filter(({ name }) => name.endsWith(', kills'))
    .flatMap(({ name, members }) => {
      const [first] = members;
      const kind = name.replace(', kills', '');
      if (first === undefined || members.length === 1) return [{ name: kind, members }];
      const whole = { services: ['server', 'workers'], environment: first.environment };
      return [
        { name: `${kind}, one process`, members: [whole] },
        { name: `${kind}, a server and two workers`, members },
      ];
    });
}

async function play(name: string, members: readonly PoolMember[], run: BenchRun): Promise<string[]> {
  const platform = await startSlackPlatform({
    place: { threadsPerChannel },
    // The limits of Slack are not measured.
    settings: { pace: false },
  });
  const pool = new ProductPool(members);
  try {
    await pool.start();
    const address = members[0]?.environment.PUBLIC_URL ?? '';
    const workspace = await openBotWorkspace({ address, adminToken }, [platform]);
    await begin(platform);
    const startedAt = performance.now();
    const posted = await load(platform, run.eventsPerSecond * seconds);
    const look = async () =>
      recordsOf(await storedConversations(address, workspace), platform, run.eventsPerSecond * seconds);
    const { records, settledAt } = await untilSettled(look, { longestMs, quietMs });
    const verdict = judge(records);
    const lasted = settledAt - startedAt;
    const latencies = posted.map(({ ms }) => ms);
    const again = posted.filter(({ isTaken }) => !isTaken).length;
    const p95 = quantile(latencies, 0.95);
    if (p95 > wantedMs)
      run.fail(`Slack, ${name}: acknowledged within ${milliseconds(p95)} at p95, not ${wantedMs} ms`);
    const { unanswered, doubled, outOfOrder, answeredTwice, neverAnswered } = verdict;
    if (unanswered + doubled + outOfOrder + answeredTwice + neverAnswered > 0)
      run.fail(`Slack, ${name}: not each was answered once, in order`);
    return [
      name,
      ...[posted.length, again].map(String),
      ...[quantile(latencies, 0.5), p95, quantile(latencies, 0.99), Math.max(...latencies)].map(milliseconds),
      ...countsOf(verdict),
      `${(lasted / 1_000).toFixed(0)} s`,
    ];
  } finally {
    pool.end();
    platform.close();
  }
}

function countsOf({
  turns,
  unanswered,
  doubled,
  outOfOrder,
  answeredTwice,
  neverAnswered,
}: Verdict): string[] {
  return [turns, turns - neverAnswered, unanswered, doubled, outOfOrder, answeredTwice].map(String);
}

interface Posted {
  readonly ms: number;
  /** True if the first try succeeded. */
  readonly isTaken: boolean;
}

/** Each thread begins with a mention, which comes in two forms, and is answered before its other messages arrive. */
async function begin(platform: SlackPlatform): Promise<void> {
  const chats = Array.from({ length: threads }, (_, place) => place + 1);
  for (const chat of chats) {
    const message = { chat, index: 1, text: messageText(chat, 1) };
    await post(platform, platform.eventOf(message, 'app_mention'));
    await post(platform, platform.eventOf(message, 'message'));
  }
  while (chats.some((chat) => platform.sent.get(chat) === undefined)) await wait(200);
}

/** Sends `count` messages at a steady pace, whether those before were answered or not. */
async function load(platform: SlackPlatform, count: number): Promise<readonly Posted[]> {
  const posts: Promise<Posted>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < count; number += 1) {
    const chat = (number % threads) + 1;
    const index = Math.floor(number / threads) + 2;
    const message = { chat, index, text: messageText(chat, index) };
    const early = startedAt + (number * seconds * 1_000) / count - performance.now();
    if (early > 1) await wait(early);
    posts.push(post(platform, platform.eventOf(message, 'message')));
  }
  return Promise.all(posts);
}

/** A refused event is sent again, as Slack does it. */
async function post(platform: SlackPlatform, event: object): Promise<Posted> {
  const startedAt = performance.now();
  const tries = await postUntilTaken(() => ({ url: platform.hook(), ...platform.sign(event) }));
  return { ms: performance.now() - startedAt, isTaken: tries === 1 };
}

function recordsOf(
  stored: readonly StoredConversation[],
  platform: SlackPlatform,
  count: number,
): readonly ChatRecord[] {
  return Array.from({ length: threads }, (_, place) => {
    const chat = place + 1;
    const own = 1 + Math.ceil((count - place) / threads);
    return chatRecord(stored, {
      chat,
      acknowledged: Array.from({ length: own }, (__, index) => messageText(chat, index + 1)),
      answers: platform.sent.get(chat)?.length ?? 0,
    });
  });
}
