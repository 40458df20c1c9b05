import type { RawRequest } from '../../core/contract/webhook.ts';
import type { TwilioAccount } from './twilio-account.ts';

/**
 * The address as Twilio asked for it: a proxy in front of us may have taken the call by another name, without TLS and
 * without a part of the path. What stands behind `#` in Twilio's own settings is for Twilio and never sent. Null where
 * nobody knows at which address the world reaches this server.
 */
export function publicUrl(
  { path, search = '' }: Pick<RawRequest, 'path' | 'search'>,
  { id, webhookUrl }: Pick<TwilioAccount, 'id' | 'webhookUrl'>,
): string | null {
  if (webhookUrl === null) return null;
  const root = webhookUrl.replace(/#.*$/s, '').slice(0, -`/webhooks/${id}`.length);
  return `${root}${path}${search}`;
}
