import type { WhatsappAccount } from '../../../../connectors/twilio/whatsapp/manifest.ts';
import { twilioAccount } from './account.ts';

/** The account of the fixtures, with the number as a sender of WhatsApp. */
export function whatsappAccount(changes: Partial<WhatsappAccount> = {}): WhatsappAccount {
  return { ...twilioAccount(), ...changes };
}
