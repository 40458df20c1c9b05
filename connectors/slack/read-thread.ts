import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { lenient } from '../shared/lenient.ts';
import { demandSlack } from './demand-slack.ts';
import { messageSchema, type SlackMessage } from './event-schema.ts';
import type { SlackAccount } from './manifest.ts';

interface Sought {
  readonly channel: string;
  readonly team: string;
  /** The message that the thread begins with. */
  readonly thread: string;
  /** Only what was said before it. */
  readonly before: string;
}

const page = z.object({
  messages: z.array(messageSchema).catch([]).prefault([]),
  response_metadata: lenient(z.object({ next_cursor: lenient(z.string()) })),
});

/** As Slack recommends. An app that is sold outside of its marketplace gets 15, once a minute. */
const PAGE = 200;
/** Slack tells the oldest ones first: a thread that is longer is known by its beginning. */
const MOST_PAGES = 5;

/** The messages of a thread, oldest first; its beginning where Slack does not tell the rest. */
export async function readThread(
  { channel, team, thread, before }: Sought,
  account: SlackAccount,
  tools: Tools,
): Promise<readonly SlackMessage[]> {
  const read: SlackMessage[] = [];
  const place = { channel, ts: thread, latest: before, limit: PAGE };
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const next: z.infer<typeof page> | null = await askFor(cursor);
    if (next === null) break;
    read.push(...next.messages);
    cursor = next.response_metadata?.next_cursor || null;
    if (cursor === null) break;
  }
  return read.filter(({ ts }) => ts !== null && Number(ts) < Number(before));

  async function askFor(from: string | null): Promise<z.infer<typeof page> | null> {
    const asked = from === null ? place : { ...place, cursor: from };
    try {
      const told = await demandSlack(
        { method: 'conversations.replies', team, run: (client) => client.conversations.replies(asked) },
        account,
        tools,
      );
      return page.parse(told);
    } catch (error) {
      // What there is of it is better than nothing.
      if (from === null || !(error instanceof ConnectorError)) throw error;
      return null;
    }
  }
}
