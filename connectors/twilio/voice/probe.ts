import type { Json, Tools } from '../../../core/contract/account.ts';
import { expectPlatform } from '../../shared/expect-platform.ts';
import { callTwilio } from '../call-twilio.ts';
import { requireActive } from '../require-active.ts';
import { requireNumber } from '../require-number.ts';
import type { VoiceAccount } from './manifest.ts';

/** Whose account it is; the number has to be one of it that takes calls. */
export function probe(account: VoiceAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Twilio', account, () => profileOf(account, tools));
}

async function profileOf(account: VoiceAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const twilio = await callTwilio(account, tools);
  const name = await requireActive(twilio, account);
  await requireNumber(twilio, account, 'voice');
  return { account: name, number: account.settings.from };
}
