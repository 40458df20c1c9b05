import type { Sender } from '../../core/contract/inbound.ts';
import type { DiscordMessage, DiscordUser } from './native-schema.ts';

/** What is not said by anybody, or by a webhook, is said by a machine. */
export function senderOf({ author, webhook_id: webhook }: DiscordMessage, botId: string): Sender {
  if (author === null) {
    return { id: '', name: null, email: null, phone: null, language: null, kind: 'machine' };
  }
  const sender = personOf(author, null);
  if (author.id === botId) return { ...sender, kind: 'self' };
  return author.bot === true || webhook !== null ? { ...sender, kind: 'machine' } : sender;
}

/** `pt-BR` is Portuguese to us. */
export function personOf({ id, global_name, username }: DiscordUser, locale: string | null): Sender {
  return {
    id,
    name: global_name ?? username,
    email: null,
    phone: null,
    language: locale?.split('-', 1)[0] ?? null,
    kind: 'person',
  };
}
