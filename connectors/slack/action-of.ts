import type { InboundEvent } from '../../core/contract/inbound.ts';
import { FEEDBACK_ACTION, PERSON_ACTION } from './action-ids.ts';
import { conversationAt } from './address.ts';
import type { SlackActions } from './event-schema.ts';
import type { Happening } from './happening.ts';
import type { SlackAccount } from './manifest.ts';
import { writeMessageId } from './message-id.ts';
import { person } from './sender-of.ts';
import { tenantOfAction } from './tenant-of.ts';
import { timeOf } from './time-of.ts';

/** A button of ours that was pressed; null for those of others. */
export function actionOf(pressed: SlackActions, account: SlackAccount): Happening | null {
  const { user, container, message, channel: room, team } = pressed;
  const action = pressed.actions.find(({ action_id }) =>
    [FEEDBACK_ACTION, PERSON_ACTION].some((own) => isNamed(action_id, own)),
  );
  const channel = container?.channel_id ?? room?.id ?? null;
  const ts = container?.message_ts ?? message?.ts ?? null;
  if (action === undefined || channel === null || ts === null) return null;
  const tenant = tenantOfAction(pressed) ?? account.settings.team_id ?? 'team';
  const conversation = conversationAt(
    {
      tenant,
      team: team?.id ?? tenant,
      channel,
      thread: container?.thread_ts ?? message?.thread_ts ?? ts,
      user: user.id,
      userTeam: user.team_id ?? team?.id ?? null,
    },
    account,
  );
  const at = action.action_ts ?? ts;
  const said = { conversation, sentAt: timeOf(at), sender: person(user.id, user.name ?? user.username) };
  const event: InboundEvent = isNamed(action.action_id, FEEDBACK_ACTION)
    ? {
        type: 'feedback',
        ...said,
        messageId: writeMessageId({ channel, ts }),
        value: action.value === 'up' || action.value === 'down' ? action.value : null,
        comment: null,
      }
    : {
        type: 'message',
        ...said,
        messageId: writeMessageId({ channel, ts: at }),
        text: '',
        attachments: [],
        addressed: true,
        command: 'human',
      };
  return {
    id: `${tenant}/${channel}/${ts}/${action.action_id}/${user.id}/${at}`,
    tenant,
    event,
    passedOver: null,
  };
}

/** Of several buttons in one block each has a name of its own. */
function isNamed(actionId: string, own: string): boolean {
  return actionId === own || actionId.startsWith(`${own}:`);
}
