import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { openBotWorkspace } from '../chaos/installation-client.ts';
import type { ChatPlatform } from '../chaos/platforms/chat-platform.ts';
import { startTelegramPlatform } from '../chaos/platforms/telegram-platform.ts';
import { adminToken, startInstallation } from '../webhooks/start-installation.ts';

/** The measurements of the quiet channel meanwhile. */
export interface Neighbours {
  readonly beside: string;
  /** Milliseconds from a question to its answer at the platform. */
  readonly replies: readonly number[];
  /** How many had no answer in time. */
  readonly missing: number;
  /** How many questions came in the busy channel. */
  readonly told: number;
}

const askingMs = 8_000;
const everyMs = 200;
const patienceMs = 20_000;
const lookMs = 2;
const atOnce = 10;
let chats = 0;

/** Measures one installation: the quiet channel alone, and beside busy ones of several kinds. */
export async function* measureNeighbours(
  environment: Readonly<Record<string, string>>,
): AsyncGenerator<Neighbours> {
  const address = `http://127.0.0.1:${await freePort()}`;
  const server = await startInstallation({ address, environment, onAllCores: true });
  const platforms: ChatPlatform[] = [];
  const open = async (options: Parameters<typeof startTelegramPlatform>[0]) => {
    const platform = await startTelegramPlatform({ botId: 7_000_001 + platforms.length, ...options });
    platforms.push(platform);
    await openBotWorkspace({ address, adminToken }, [platform]);
    return platform;
  };
  try {
    const quiet = await open({});
    await ask(quiet);
    yield { beside: 'nobody', told: 0, ...(await askFor(quiet)) };
    const kinds = [
      ['one that is answered as fast as may be', { settings: { pace: false } }],
      ['one that is sent 25 answers a second', {}],
      ['one whose platform does not answer', { settings: { pace: false }, silent: true }],
    ] as const;
    for (const [beside, options] of kinds) {
      const busy = await open(options);
      const [told, heard] = await Promise.all([flood(busy), askFor(quiet)]);
      yield { beside, told, ...heard };
    }
  } finally {
    await server.stop();
    for (const platform of platforms) await platform.close();
  }
}

async function askFor(platform: ChatPlatform): Promise<Pick<Neighbours, 'replies' | 'missing'>> {
  const asked: Promise<number | null>[] = [];
  const until = performance.now() + askingMs;
  while (performance.now() < until) {
    asked.push(ask(platform));
    await wait(everyMs);
  }
  const all = await Promise.all(asked);
  const replies = all.filter((ms) => ms !== null);
  return { replies, missing: all.length - replies.length };
}

/** Returns how long a new visitor waited; null if that was too long. */
async function ask(platform: ChatPlatform): Promise<number | null> {
  chats += 1;
  const chat = chats;
  const askedAt = performance.now();
  await platform.tell({ chat, index: 1, text: 'Is anybody there?' });
  while (!platform.sent.has(chat)) {
    if (performance.now() - askedAt > patienceMs) return null;
    await wait(lookMs);
  }
  return performance.now() - askedAt;
}

/** Sends messages and returns how many were accepted. */
async function flood(platform: ChatPlatform): Promise<number> {
  const until = performance.now() + askingMs;
  let told = 0;
  const tell = async () => {
    while (performance.now() < until) {
      told += 1;
      chats += 1;
      await platform.tell({ chat: chats, index: 1, text: 'Is anybody there?' });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, tell));
  return told;
}
