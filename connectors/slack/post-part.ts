import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Receipt } from '../../core/contract/outbound.ts';
import type { Address } from './address.ts';
import { callSlack } from './call-slack.ts';
import { contentsOf } from './content-of.ts';
import type { SlackAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import type { MessageMark } from './message-mark.ts';
import type { Part } from './part.ts';
import { say } from './say.ts';

interface Posting {
  readonly part: Part;
  readonly address: Address;
  /** Tells the message from every other. */
  readonly mark?: MessageMark | null;
}

/** Sends a new message. */
export async function postPart(
  { part, address, mark = null }: Posting,
  account: SlackAccount,
  tools: Tools,
): Promise<Receipt> {
  const { channel, thread, team } = address;
  const { ts } = await say(
    contentsOf(part),
    (content) =>
      callSlack(
        {
          method: 'chat.postMessage',
          team,
          run: (client) =>
            client.chat.postMessage({
              channel,
              ...(thread !== null && { thread_ts: thread }),
              ...content,
              ...(mark !== null && { metadata: mark }),
              unfurl_links: false,
              unfurl_media: false,
            }),
        },
        account,
        tools,
      ),
    tools,
  );
  if (ts === undefined) {
    throw new ConnectorError('Slack does not say what it made of a message.', { advice: { retry: 'never' } });
  }
  return { messageId: writeMessageId({ channel, ts }) };
}
