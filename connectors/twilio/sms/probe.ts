import type { Json, Tools } from '../../../core/contract/account.ts';
import { expectPlatform } from '../../shared/expect-platform.ts';
import { callTwilio } from '../call-twilio.ts';
import { probeSender } from '../messaging/probe-sender.ts';
import { requireNumber } from '../require-number.ts';
import type { TwilioAccount } from '../twilio-account.ts';

/** Whose account it is; the number has to be one of it that sends messages. */
export function probe(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Twilio', account, () => profileOf(account, tools));
}

async function profileOf(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const profile = await probeSender(account, tools);
  await requireNumber(await callTwilio(account, tools), account, 'sms');
  return profile;
}
