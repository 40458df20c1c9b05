import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Backend } from '../chaos/backends.ts';
import type { ChatPlatform } from '../chaos/platforms/chat-platform.ts';
import { startTwilioPlatform } from '../chaos/platforms/twilio-platform.ts';
import { ProductPool } from '../chaos/product-pool.ts';

const visitors = 50;
const rounds = 4;
const patienceMs = 5_000;
const lookMs = 20;
const madeSchema = z.object({ id: z.string() });
const channelSchema = z.object({ webhook_url: z.string() });

export interface WebhookWaits {
  /** The times from each signed message to its acknowledgement, in milliseconds. */
  readonly acknowledged: readonly number[];
  /** The times of each round until its last visitor was answered. */
  readonly answered: readonly number[];
}

/** Lets visitors write at the same moment, again once all are answered. */
export async function measureWebhooks(
  { members }: Pick<Backend, 'members'>,
  adminToken: string,
  channel: 'whatsapp' | 'sms',
): Promise<WebhookWaits> {
  const platform = await startTwilioPlatform(channel, { service: channel === 'sms' });
  const pool = new ProductPool(members);
  try {
    await pool.start();
    const address = members[0]?.environment.PUBLIC_URL ?? '';
    platform.postTo(await addNumber({ address, adminToken }, platform));
    await playRound(platform, 0);
    const played: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) played.push(await playRound(platform, round));
    return {
      acknowledged: played.flatMap(({ acknowledged }) => acknowledged),
      answered: played.map(({ answered }) => answered),
    };
  } finally {
    pool.end();
    platform.close();
  }
}

interface Round {
  readonly acknowledged: readonly number[];
  readonly answered: number;
}

async function playRound(platform: ChatPlatform, round: number): Promise<Round> {
  const startedAt = performance.now();
  const posts = Array.from({ length: visitors }, async (_, visitor) => {
    const text = `Message ${round} of visitor ${visitor}`;
    await platform.tell({ chat: visitor + 1, index: round + 1, text });
    return performance.now() - startedAt;
  });
  const acknowledged = await Promise.all(posts);
  const wanted = (round + 1) * visitors;
  while (answersOf(platform) < wanted && performance.now() - startedAt < patienceMs) await wait(lookMs);
  return { acknowledged, answered: performance.now() - startedAt };
}

function answersOf({ sent }: ChatPlatform): number {
  return [...sent.values()].reduce((sum, texts) => sum + texts.length, 0);
}

async function addNumber(
  { address, adminToken }: { readonly address: string; readonly adminToken: string },
  platform: ChatPlatform,
): Promise<string> {
  const call = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${address}/admin/v1/workspaces${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const settings = { skills: [], fallback_message: 'Noted.' };
  const { id } = madeSchema.parse(await call('', { name: 'Bench', plan: 'enterprise', settings }));
  const added = await call(`/${id}/channels`, {
    name: 'Bench',
    ...platform.channel,
  });
  return channelSchema.parse(added).webhook_url;
}
