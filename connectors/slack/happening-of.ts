import type { Json } from '../../core/contract/account.ts';
import { actionOf } from './action-of.ts';
import { changeOf } from './change-of.ts';
import { actionsSchema, envelopeSchema, type SlackEnvelope } from './event-schema.ts';
import type { Happening } from './happening.ts';
import { lossOf } from './loss-of.ts';
import type { SlackAccount } from './manifest.ts';
import { messageOf } from './message-of.ts';
import { openingOf } from './opening-of.ts';
import { reactionOf } from './reaction-of.ts';

type Read = (envelope: SlackEnvelope, account: SlackAccount) => Happening | null;

const readers: Readonly<Record<string, Read>> = {
  app_mention: messageOf,
  message: (envelope, account) => messageOf(envelope, account) ?? changeOf(envelope, account),
  app_home_opened: openingOf,
  assistant_thread_started: openingOf,
  reaction_added: reactionOf,
  reaction_removed: reactionOf,
  app_uninstalled: lossOf,
  tokens_revoked: lossOf,
};

/** Null for what we do not know, or have no use for. */
export function happeningOf(native: Json, account: SlackAccount): Happening | null {
  const { data: actions } = actionsSchema.safeParse(native);
  if (actions !== undefined) return actionOf(actions, account);
  const { data: envelope } = envelopeSchema.safeParse(native);
  if (envelope === undefined || !Object.hasOwn(readers, envelope.event.type)) return null;
  return readers[envelope.event.type]?.(envelope, account) ?? null;
}
