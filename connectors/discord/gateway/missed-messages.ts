import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Json, Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import { jsonValue } from '../../shared/payload.ts';
import { callDiscord, refusalError } from '../api-client.ts';
import type { DiscordAccount } from '../manifest.ts';
import { firstSnowflakeAt } from '../payloads.ts';

const message = z.record(z.string(), jsonValue).and(z.object({ id: z.string() }));
type Messages = z.infer<typeof message>[];

interface Context {
  readonly account: DiscordAccount;
  readonly tools: Tools;
}

const PAGE = 100;
/** Of a thousand messages in a gap the rest is given up: nobody waits for answers to them. */
const MAX_PAGES = 10;
/** Clocks differ, and events of several channels may overtake one another. */
const MARGIN_MS = 60_000;
const TRIES = 3;
const PAUSE_MS = 1_000;

/** Whether anything was said there since. */
export function hasMissedMessages(lastMessageId: string | null, since: number): boolean {
  return (
    lastMessageId !== null && BigInt(lastMessageId) >= BigInt(firstSnowflakeAt(new Date(since - MARGIN_MS)))
  );
}

/** What was said in a channel since, oldest first, page by page. Nothing of one that we may not read. */
export async function* fetchMissedMessages(
  channel: string,
  since: number,
  means: Context,
): AsyncGenerator<readonly Json[]> {
  let after = firstSnowflakeAt(new Date(since - MARGIN_MS));
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const path = `/channels/${channel}/messages?after=${after}&limit=${PAGE}`;
    const messages = await readPage(path, means);
    const ordered = messages.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
    if (ordered.length > 0) yield ordered;
    if (ordered.length < PAGE) return;
    after = ordered.at(-1)?.id ?? after;
  }
  means.tools.log.warn({ channel }, 'more was said than is read after a gap');
}

/** What passes is tried again; what Discord does not let us read is passed over. */
async function readPage(path: string, means: Context): Promise<Messages> {
  for (let failures = 0; ; failures += 1) {
    const page = await tryPage(path, means);
    if (Array.isArray(page)) return page;
    const { advice, account } = page;
    if (account) throw page;
    if (advice.retry === 'never') {
      means.tools.log.warn({ because: page.message }, 'what was missed in a channel may not be read');
      return [];
    }
    if (advice.retry === 'backoff' && failures >= TRIES) throw page;
    const pauseMs = advice.retry === 'after' ? advice.afterMs : PAUSE_MS * 2 ** failures;
    await wait(pauseMs, undefined, { signal: means.tools.signal });
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
