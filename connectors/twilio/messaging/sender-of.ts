import type { Sender } from '../../../core/contract/inbound.ts';
import type { TwilioAccount } from '../twilio-account.ts';
import type { Fields } from './fields-schema.ts';
import type { Medium } from './medium.ts';

const NUMBER = /^\+[1-9]\d{3,14}$/;

/**
 * WhatsApp may name a visitor by an id of its own instead of his number: that is who he is, and no number is known of
 * him. Short codes and names instead of numbers are those of machines.
 */
export function senderOf(
  { From, To, ProfileName }: Pick<Fields, 'From' | 'To' | 'ProfileName'>,
  { settings }: Pick<TwilioAccount, 'settings'>,
  { prefix }: Pick<Medium, 'prefix'>,
): Sender {
  const id = From.slice(prefix.length);
  const isNumber = NUMBER.test(id);
  const isOurs = From === To || id === settings.from;
  return {
    id,
    name: ProfileName,
    email: null,
    phone: isNumber ? id : null,
    language: null,
    kind: isOurs ? 'self' : prefix === '' && !isNumber ? 'machine' : 'person',
  };
}
