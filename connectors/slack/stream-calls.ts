import type { types } from '@slack/bolt';
import type { Tools } from '../../core/contract/account.ts';
import type { Address } from './address.ts';
import { callSlack } from './call-slack.ts';
import type { SlackAccount } from './manifest.ts';
import type { Outcome, Refusal } from './refusal.ts';

interface Streamed {
  readonly ts: string;
  readonly address: Pick<Address, 'channel' | 'team'>;
}

/** Slack ends a stream by itself after about five minutes. */
export function isEnded({ code }: Refusal): boolean {
  return code === 'message_not_in_streaming_state';
}

export function startStream(
  markdown_text: string,
  { channel, thread, user, userTeam, team }: Address,
  account: SlackAccount,
  tools: Tools,
): Promise<Outcome<{ ts?: string }>> {
  return callSlack(
    {
      method: 'chat.startStream',
      team,
      run: (client) =>
        client.chat.startStream({
          channel,
          thread_ts: thread ?? '',
          markdown_text,
          ...(user !== null && userTeam !== null && { recipient_user_id: user, recipient_team_id: userTeam }),
        }),
    },
    account,
    tools,
  );
}

export function appendStream(
  markdown_text: string,
  { ts, address: { channel, team } }: Streamed,
  account: SlackAccount,
  tools: Tools,
): Promise<Outcome<unknown>> {
  return callSlack(
    {
      method: 'chat.appendStream',
      team,
      run: (client) => client.chat.appendStream({ channel, ts, markdown_text }),
    },
    account,
    tools,
  );
}

export function stopStream(
  { rest, blocks }: { readonly rest: string; readonly blocks: types.KnownBlock[] },
  { ts, address: { channel, team } }: Streamed,
  account: SlackAccount,
  tools: Tools,
): Promise<Outcome<unknown>> {
  return callSlack(
    {
      method: 'chat.stopStream',
      team,
      run: (client) =>
        client.chat.stopStream({
          channel,
          ts,
          ...(rest !== '' && { markdown_text: rest }),
          ...(blocks.length > 0 && { blocks }),
        }),
    },
    account,
    tools,
  );
}

export function deleteMessage(
  { ts, address: { channel, team } }: Streamed,
  account: SlackAccount,
  tools: Tools,
): Promise<Outcome<unknown>> {
  return callSlack(
    { method: 'chat.delete', team, run: (client) => client.chat.delete({ channel, ts }) },
    account,
    tools,
  );
}
