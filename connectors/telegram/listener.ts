import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import type { ListenerTools } from '../../core/contract/listener.ts';
import { jsonValue } from '../shared/http.ts';
import { callTelegramOrThrow } from './api-client.ts';
import { botIdentity } from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';
import { allowedUpdates } from './payloads.ts';
import { toDelivery } from './webhook.ts';

interface ListenerTiming {
  /** How long Telegram holds a poll open while there are no updates. */
  readonly pollMs: number;
  /** How much longer than `pollMs` a response may take before the poll is given up. */
  readonly graceMs: number;
  /** How long temporary failures of polls may last before the listener throws. */
  readonly patienceMs: number;
  /** Delay after the first failed poll; doubled after each further failure. */
  readonly pauseMs: number;
}

type ListenTelegram = (account: TelegramAccount, tools: ListenerTools) => Promise<void>;

const MAX_PAUSE_MS = 15_000;
const cursorSchema = z.object({ botId: z.int(), offset: z.int() });

/** Returns a listener that polls for updates until it is stopped. Telegram drops updates before the requested offset. */
export function createListener(timing: ListenerTiming): ListenTelegram {
  return async (account, tools) => {
    try {
      if (account.settings.mode === 'polling') await dropWebhook(account, tools);
      await pollUntilStopped(account, tools, timing);
    } catch (error) {
      if (!tools.signal.aborted) throw error;
    }
  };
}

/** Telegram refuses polls while a webhook is set. It is deleted only if the operator chose `mode: polling`. */
async function dropWebhook(account: TelegramAccount, tools: ListenerTools): Promise<void> {
  await callTelegramOrThrow({ method: 'deleteWebhook', params: {}, result: z.unknown() }, account, tools);
}

async function pollUntilStopped(
  account: TelegramAccount,
  tools: ListenerTools,
  timing: ListenerTiming,
): Promise<void> {
  let offset = restoreOffset(tools.cursor, account);
  let lastPollAt = tools.now().getTime();
  let failures = 0;
  while (!tools.signal.aborted) {
    try {
      const updates = await poll(offset, account, { tools, timing });
      tools.alive();
      offset = await storeUpdates(updates, offset, { account, tools });
      lastPollAt = tools.now().getTime();
      failures = 0;
    } catch (error) {
      const failingMs = tools.now().getTime() - lastPollAt;
      if (!isTransient(error) || failingMs > timing.patienceMs) throw error;
      await setTimeout(retryDelay(error, failures, timing), undefined, { signal: tools.signal });
      failures += 1;
    }
  }
}

/** Returns the stored offset, or 0 if it belongs to another bot: a foreign offset would skip this bot's updates. */
function restoreOffset(cursor: Json, account: TelegramAccount): number {
  const { data } = cursorSchema.safeParse(cursor);
  return data?.botId === botIdentity(account).id ? data.offset : 0;
}

interface Context {
  readonly tools: ListenerTools;
  readonly timing: ListenerTiming;
}

async function poll(
  offset: number,
  account: TelegramAccount,
  { tools, timing }: Context,
): Promise<readonly Json[]> {
  const params = { offset, timeout: Math.ceil(timing.pollMs / 1_000), allowed_updates: allowedUpdates };
  const timeoutMs = timing.pollMs + timing.graceMs;
  return await callTelegramOrThrow(
    { method: 'getUpdates', params, result: z.array(jsonValue), timeoutMs },
    account,
    tools,
  );
}

/** Stores updates and returns the offset for the next poll, which advances only after the updates are stored. */
async function storeUpdates(
  updates: readonly Json[],
  offset: number,
  { account, tools }: { account: TelegramAccount; tools: ListenerTools },
): Promise<number> {
  const deliveries = updates.map(toDelivery).filter((delivery): delivery is Delivery => delivery !== null);
  if (deliveries.length === 0) return offset;
  await tools.accept(deliveries);
  const next = Math.max(...deliveries.map(({ id }) => Number(id))) + 1;
  await tools.keep({ botId: botIdentity(account).id, offset: next });
  return next;
}

/**
 * Returns whether a later poll may succeed. That includes 409 for a concurrent poll, because Telegram may still hold open
 * the poll of a process that has just ended. It excludes 409 for an active webhook, which does not end by itself.
 */
function isTransient(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError) || error.message.includes('webhook is active')) return false;
  return error.advice.retry !== 'never';
}

function retryDelay({ advice }: ConnectorError, failures: number, { pauseMs }: ListenerTiming): number {
  return advice.retry === 'after' ? advice.afterMs : Math.min(MAX_PAUSE_MS, pauseMs * 2 ** failures);
}
