import type { Facets } from '../../../core/contract/facets.ts';
import { callTwilio } from '../call-twilio.ts';
import type { TwilioAccount } from '../twilio-account.ts';
import { addressOf } from './address.ts';
import { partOf } from './part.ts';

type FindSent = NonNullable<Facets<TwilioAccount['credentials'], TwilioAccount['settings']>['findSent']>;

/** More than one visitor is sent in the time that is looked at. */
const MOST = 50;

/** By its words, as Twilio keeps nothing of ours with a message; what a template came to is not known. */
export const findSent: FindSent = async ({ part, to, since }, account, tools) => {
  const content = partOf(part);
  if (!('body' in content)) return [];
  const { visitor, number } = addressOf(to);
  const twilio = await callTwilio(account, tools);
  const messages = await twilio.messages.list({ to: visitor, from: number, limit: MOST, pageSize: MOST });
  return messages
    .filter(({ body, dateCreated }) => body.trim() === content.body.trim() && dateCreated >= since)
    .toReversed()
    .map(({ sid }) => ({ messageId: sid }));
};
