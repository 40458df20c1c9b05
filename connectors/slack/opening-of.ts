import type { SlackEnvelope } from './event-schema.ts';
import type { Happening } from './happening.ts';
import type { SlackAccount } from './manifest.ts';
import { placeOf } from './place-of.ts';
import { person } from './sender-of.ts';

/** Somebody opened his direct messages with us, in either way that Slack has shown those to apps like ours. */
export function openingOf(envelope: SlackEnvelope, account: SlackAccount): Happening | null {
  const { event } = envelope;
  const opened = event.assistant_thread ?? {
    channel_id: event.channel,
    thread_ts: null,
    user_id: event.user,
  };
  const { channel_id: channel, user_id: user, thread_ts } = opened;
  if (channel === null || user === null) return null;
  if (event.type === 'app_home_opened' && event.tab !== 'messages') return null;
  const said = { user, user_team: null, team: null, ts: null, thread_ts };
  const { tenant, conversation } = placeOf(envelope, { channel, said }, account);
  return {
    id: envelope.event_id ?? `${tenant}/${channel}/opened/${event.event_ts ?? ''}`,
    tenant,
    event: { type: 'opened', conversation, sender: person(user, null) },
    passedOver: account.settings.prompts.length === 0 ? 'there is nothing to suggest' : null,
  };
}
