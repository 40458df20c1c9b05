import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../helpers/start-postgres.ts';
import { startRedis } from '../../helpers/start-redis.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { type Backend, chaosBackends } from '../chaos/backends.ts';
import { openBotWorkspace, visitorTurns } from '../chaos/installation-client.ts';
import { type ChatRecord, judge, type Verdict } from '../chaos/judge.ts';
import { ProductPool } from '../chaos/product-pool.ts';
import { startTelegramPlatform, type TelegramPlatform } from '../chaos/telegram-platform.ts';
import { table } from '../table.ts';

const chats = 50;
const updatesPerChat = 10;
const adminToken = 'a-token-for-the-benchmark';
const quietMs = 8_000;
const longestMs = 180_000;
const lookMs = 2_000;

/** Updates of many chats while processes are killed at random: what is lost, doubled or out of order. */
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
        rows.push(await play(backend));
      });
    }
  } finally {
    await postgres?.stop();
    await redis?.stop();
  }
  run.print(
    table(
      'Updates of 50 chats, while processes are killed with -9 every few seconds or a server under them fails',
      [
        'queue',
        'updates',
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

async function play({ name, members, trouble }: Backend): Promise<string[]> {
  const platform = await startTelegramPlatform();
  const pool = new ProductPool(members);
  try {
    await pool.start();
    const address = members[0]?.environment.PUBLIC_URL ?? '';
    const bot = { token: platform.token, apiBaseUrl: platform.url };
    const workspace = await openBotWorkspace({ address, adminToken }, bot);
    const startedAt = performance.now();
    const over = new AbortController();
    const troubled = trouble(pool, over.signal);
    const acknowledged = await Promise.all(
      Array.from({ length: chats }, (_, chat) => talk(platform, chat + 1)),
    );
    over.abort();
    await troubled;
    const look = async () => {
      const turns = await visitorTurns(address, workspace);
      return judge(recordsOf(acknowledged, turns, platform));
    };
    const verdict = await untilSettled(look);
    return rowOf(name, verdict, { platform, pool, seconds: (performance.now() - startedAt) / 1_000 });
  } finally {
    pool.end();
    platform.close();
  }
}

/** One visitor: each message after the one before was taken; what was taken. */
async function talk(platform: TelegramPlatform, chat: number): Promise<readonly string[]> {
  const said: string[] = [];
  for (let index = 1; index <= updatesPerChat; index += 1) {
    const text = `chat ${chat} message ${index}`;
    await platform.post({
      update_id: chat * 1_000 + index,
      message: {
        message_id: index,
        date: 1_790_000_000 + index,
        from: { id: chat, is_bot: false, first_name: `Visitor ${chat}`, language_code: 'en' },
        chat: { id: chat, type: 'private', first_name: `Visitor ${chat}` },
        text,
      },
    });
    said.push(text);
    await wait(Math.random() * 4_000);
  }
  return said;
}

/** The verdict once everything is answered, and nothing was answered again for a while; or after so long as it is. */
async function untilSettled(look: () => Promise<Verdict>): Promise<Verdict> {
  const startedAt = performance.now();
  for (;;) {
    const { unanswered, neverAnswered } = await look();
    const isOver = performance.now() - startedAt > longestMs;
    if ((unanswered === 0 && neverAnswered === 0) || isOver) break;
    await wait(lookMs);
  }
  await wait(quietMs);
  return look();
}

function recordsOf(
  acknowledged: readonly (readonly string[])[],
  turns: readonly (readonly string[])[],
  platform: TelegramPlatform,
): readonly ChatRecord[] {
  return acknowledged.map((texts, index) => {
    const chat = index + 1;
    const own = turns.filter((said) => said.some((text) => text.startsWith(`chat ${chat} `)));
    return {
      chat,
      acknowledged: texts,
      turns: own.flat(),
      conversations: own.length,
      answers: platform.sent.get(chat)?.length ?? 0,
    };
  });
}

function rowOf(
  name: string,
  verdict: Verdict,
  { platform, pool, seconds }: { platform: TelegramPlatform; pool: ProductPool; seconds: number },
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
      platform.lostAnswers(),
    ].map(String),
    ...[neverAnswered, splitChats].map(String),
    seconds.toFixed(0),
  ];
}
