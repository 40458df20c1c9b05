import type { Sender } from '../../core/contract/inbound.ts';
import type { botOf } from './bot-of.ts';
import type { SlackMessage } from './event-schema.ts';

const NOBODY: Sender = { id: '', name: null, email: null, phone: null, language: null, kind: 'machine' };

/** Slack itself writes as these: "… archived the channel". */
const SYSTEM = new Set(['USLACK', 'USLACKBOT']);

export function senderOf(message: SlackMessage, bot: ReturnType<typeof botOf>): Sender {
  const { user, bot_id, user_profile } = message;
  const id = user ?? bot_id ?? '';
  if (bot.wrote(message)) return { ...NOBODY, id, kind: 'self' };
  if (user === null || bot_id !== null || message.subtype === 'bot_message' || SYSTEM.has(user))
    return { ...NOBODY, id };
  return person(user, user_profile?.real_name || user_profile?.display_name || null);
}

export function person(id: string, name: string | null): Sender {
  return { ...NOBODY, id, name, kind: 'person' };
}
