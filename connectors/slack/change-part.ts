import type { Tools } from '../../core/contract/account.ts';
import type { Address } from './address.ts';
import { callSlack } from './call-slack.ts';
import { contentsOf } from './content-of.ts';
import type { SlackAccount } from './manifest.ts';
import type { Part } from './part.ts';
import { say } from './say.ts';

interface Sent {
  readonly ts: string;
  readonly address: Pick<Address, 'channel' | 'team'>;
}

/** Puts something else in the place of a message. */
export async function changePart(
  part: Part,
  { ts, address: { channel, team } }: Sent,
  account: SlackAccount,
  tools: Tools,
): Promise<void> {
  await say(
    contentsOf(part),
    (content) =>
      callSlack(
        {
          method: 'chat.update',
          team,
          // Blocks that are not named stay.
          run: (client) => client.chat.update({ channel, ts, blocks: [], ...content }),
        },
        account,
        tools,
      ),
    tools,
  );
}
