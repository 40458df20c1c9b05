import { type Address, conversationAt } from './address.ts';
import type { SlackEnvelope, SlackMessage } from './event-schema.ts';
import type { SlackAccount } from './manifest.ts';
import { tenantOfEvent } from './tenant-of.ts';

/** Where Slack does not say whose an event is. */
const NOBODYS = 'team';

type Said = Pick<SlackMessage, 'user' | 'user_team' | 'team' | 'ts' | 'thread_ts'>;

interface Where {
  readonly channel: string;
  readonly said: Said | null;
}

/** The conversation that an event belongs to: a message that is in no thread begins one. */
export function placeOf(envelope: SlackEnvelope, { channel, said }: Where, account: SlackAccount) {
  const tenant = tenantOfEvent(envelope) ?? NOBODYS;
  const address: Address = {
    tenant,
    team: envelope.team_id ?? tenant,
    channel,
    thread: said?.thread_ts ?? said?.ts ?? null,
    user: said?.user ?? null,
    userTeam: said?.user_team ?? said?.team ?? envelope.team_id,
  };
  return { tenant, conversation: conversationAt(address, account) };
}
