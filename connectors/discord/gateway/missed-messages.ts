import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Json, Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import { jsonValue } from '../../shared/http.ts';
import { callDiscord, refusalError } from '../api-client.ts';
import type { DiscordAccount } from '../manifest.ts';
import { firstSnowflakeAt } from '../payloads.ts';

const message = z.record(z.string(), jsonValue).and(z.object({ id: z.string() }));
type Messages = z.infer<typeof message>[];

interface Context {
  readonly account: DiscordAccount;
  readonly tools: Tools;
}

const PAGE_SIZE = 100;
/** At most 1,000 messages of a gap are read: visitors no longer wait for answers to older ones. */
const MAX_PAGES = 10;
/** Clocks differ, and events of different channels may arrive out of order. */
const MARGIN_MS = 60_000;
const MAX_FAILURES = 3;
const PAUSE_MS = 1_000;

/** Returns whether a channel has messages after a time. */
export function hasMissedMessages(lastMessageId: string | null, since: number): boolean {
  return (
    lastMessageId !== null && BigInt(lastMessageId) >= BigInt(firstSnowflakeAt(new Date(since - MARGIN_MS)))
  );
}

/** Yields the messages of a channel after a time in pages, oldest first. Yields nothing if the bot may not read the channel. */
export async function* fetchMissedMessages(
  channel: string,
  since: number,
  context: Context,
): AsyncGenerator<readonly Json[]> {
  let after = firstSnowflakeAt(new Date(since - MARGIN_MS));
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const path = `/channels/${channel}/messages?after=${after}&limit=${PAGE_SIZE}`;
    const messages = await readPage(path, context);
    const ordered = messages.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
    if (ordered.length > 0) yield ordered;
    if (ordered.length < PAGE_SIZE) return;
    after = ordered.at(-1)?.id ?? after;
  }
  context.tools.log.warn({ channel }, 'missed messages truncated at 1,000');
}

/** Retries temporary errors. Returns no messages if Discord refuses permanently. */
async function readPage(path: string, context: Context): Promise<Messages> {
  for (let failures = 0; ; failures += 1) {
    const page = await tryPage(path, context);
    if (Array.isArray(page)) return page;
    const { advice, account } = page;
    if (account) throw page;
    if (advice.retry === 'never') {
      context.tools.log.warn({ because: page.message }, 'reading missed messages refused');
      return [];
    }
    if (advice.retry === 'backoff' && failures >= MAX_FAILURES) throw page;
    const pauseMs = advice.retry === 'after' ? advice.afterMs : PAUSE_MS * 2 ** failures;
    await wait(pauseMs, undefined, { signal: context.tools.signal });
  }
}

async function tryPage(path: string, { account, tools }: Context): Promise<Messages | ConnectorError> {
  try {
    const outcome = await callDiscord({ method: 'GET', path, result: z.array(message) }, account, tools);
    return outcome.ok ? outcome.result : refusalError(outcome.refusal, tools.now());
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}
