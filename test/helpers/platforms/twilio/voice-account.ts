import { manifest, type VoiceAccount } from '../../../../connectors/twilio/voice/manifest.ts';
import { twilioAccount } from './account.ts';

/** The account of the fixtures, whose number takes calls. */
export function voiceAccount(settings: Readonly<Record<string, unknown>> = {}): VoiceAccount {
  const account = twilioAccount();
  return { ...account, settings: manifest.settings.parse({ ...account.settings, ...settings }) };
}
