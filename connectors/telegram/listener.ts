import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import type { Listen, ListenerTools } from '../../core/contract/listener.ts';
import { jsonValue } from '../shared/payload.ts';
import { callTelegramOrThrow } from './api-client.ts';
import { botIdentity } from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';
import { allowedUpdates } from './payloads.ts';
import { toDelivery } from './webhook.ts';

interface ListenerTiming {
  /** How long Telegram holds a question open while there is nothing to tell. */
  readonly pollMs: number;
  /** How much longer than that the answer may take before it is taken for lost. */
  readonly graceMs: number;
  /** How long polls may fail, for reasons that pass, before that is told. */
  readonly patienceMs: number;
  /** Before the next poll after one that failed; doubled each time. */
  readonly pauseMs: number;
}

type ListenTelegram = Listen<TelegramAccount['credentials'], TelegramAccount['settings']>;

const MAX_PAUSE_MS = 15_000;
const cursorSchema = z.object({ botId: z.int(), offset: z.int() });

/** Asks for updates until it is stopped. Telegram forgets an update when the one after it is asked for. */
export function createListener(pace: ListenerTiming): ListenTelegram {
  return async (account, tools) => {
    try {
      if (account.settings.mode === 'polling') await dropWebhook(account, tools);
      await pollUntilStopped(account, tools, pace);
    } catch (error) {
      if (!tools.signal.aborted) throw error;
    }
  };
}

/** Telegram refuses to be asked while it posts; that is ended only for an operator who chose to ask. */
async function dropWebhook(account: TelegramAccount, tools: ListenerTools): Promise<void> {
  await callTelegramOrThrow({ method: 'deleteWebhook', params: {}, result: z.unknown() }, account, tools);
}

async function pollUntilStopped(
  account: TelegramAccount,
  tools: ListenerTools,
  pace: ListenerTiming,
): Promise<void> {
  let offset = restoreOffset(tools.cursor, account);
  let heardAt = tools.now().getTime();
  let failures = 0;
  while (!tools.signal.aborted) {
    try {
      const updates = await poll(offset, account, { tools, pace });
      tools.alive();
      offset = await storeUpdates(updates, offset, { account, tools });
      heardAt = tools.now().getTime();
      failures = 0;
    } catch (error) {
      const silentMs = tools.now().getTime() - heardAt;
      if (!isTransient(error) || silentMs > pace.patienceMs) throw error;
      await setTimeout(retryDelay(error, failures, pace), undefined, { signal: tools.signal });
      failures += 1;
    }
  }
}

/** A cursor of another bot counts other updates: it would make this one deaf. */
function restoreOffset(cursor: Json, account: TelegramAccount): number {
  const { data } = cursorSchema.safeParse(cursor);
  return data?.botId === botIdentity(account).id ? data.offset : 0;
}

interface Context {
  readonly tools: ListenerTools;
  readonly pace: ListenerTiming;
}

async function poll(
  offset: number,
  account: TelegramAccount,
  { tools, pace }: Context,
): Promise<readonly Json[]> {
  const params = { offset, timeout: Math.ceil(pace.pollMs / 1_000), allowed_updates: allowedUpdates };
  const timeoutMs = pace.pollMs + pace.graceMs;
  return await callTelegramOrThrow(
    { method: 'getUpdates', params, result: z.array(jsonValue), timeoutMs },
    account,
    tools,
  );
}

/** The offset for the next poll. It moves only when the updates before it cannot be lost any more. */
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
 * Also 409, for the poll of a process that has just ended is held open for as long as a poll may be; not where Telegram
 * posts to somebody, which does not end by itself.
 */
function isTransient(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError) || error.message.includes('webhook is active')) return false;
  return error.advice.retry !== 'never';
}

function retryDelay({ advice }: ConnectorError, failures: number, { pauseMs }: ListenerTiming): number {
  return advice.retry === 'after' ? advice.afterMs : Math.min(MAX_PAUSE_MS, pauseMs * 2 ** failures);
}
