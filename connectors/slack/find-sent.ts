import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Facets } from '../../core/contract/facets.ts';
import { lenient } from '../shared/lenient.ts';
import { addressOf } from './address.ts';
import { demandSlack } from './demand-slack.ts';
import type { SlackAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import { markSchema, messageMark } from './message-mark.ts';

type FindSent = NonNullable<Facets<SlackAccount['credentials'], SlackAccount['settings']>['findSent']>;

const page = z.object({
  messages: z.array(z.object({ ts: z.string(), metadata: lenient(markSchema) })),
});

/** As Slack recommends. */
const PAGE = 200;

/** By the mark that it was sent with. */
export const findSent: FindSent = async ({ part, to, since }, account, tools) => {
  const mark = messageMark(part, account);
  if (mark === null) return [];
  const { channel, thread, team } = addressOf(to);
  const sought = {
    channel,
    oldest: (since.getTime() / 1_000).toFixed(6),
    limit: PAGE,
    include_all_metadata: true,
  };
  const told = await demandSlack<unknown>(
    {
      method: thread === null ? 'conversations.history' : 'conversations.replies',
      team,
      run: ({ conversations }) =>
        thread === null ? conversations.history(sought) : conversations.replies({ ...sought, ts: thread }),
    },
    account,
    tools,
  );
  return (page.safeParse(told).data?.messages ?? [])
    .filter(({ metadata }) => isDeepStrictEqual(metadata, mark))
    .map(({ ts }) => ({ messageId: writeMessageId({ channel, ts }) }));
};
