import { botOf } from './bot-of.ts';
import type { SlackEnvelope } from './event-schema.ts';
import type { Happening } from './happening.ts';
import type { SlackAccount } from './manifest.ts';
import { tenantOfEvent } from './tenant-of.ts';

/** We were thrown out of a team: the app was removed, or our token taken back. Tokens of people are not ours. */
export function lossOf(envelope: SlackEnvelope, account: SlackAccount): Happening | null {
  const { event, event_id } = envelope;
  const isRemoved = event.type === 'app_uninstalled';
  const { userIds } = botOf(envelope, account);
  const revoked = event.tokens?.bot ?? [];
  // Without a name of ours, whichever bot it is, it is the app's.
  const isOurs = revoked.some((user) => userIds.size === 0 || userIds.has(user));
  if (!isRemoved && !isOurs) return null;
  const tenant = tenantOfEvent(envelope) ?? '';
  const because = isRemoved
    ? 'The app was removed from the team in Slack.'
    : 'The bot token was revoked in Slack.';
  return {
    id: event_id ?? `${tenant}/${event.type}/${event.event_ts ?? ''}`,
    tenant,
    event: { type: 'account-lost', because },
    passedOver: null,
  };
}
