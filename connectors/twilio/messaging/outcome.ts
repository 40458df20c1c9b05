import type { Facets } from '../../../core/contract/facets.ts';
import { callTwilio } from '../call-twilio.ts';
import type { TwilioAccount } from '../twilio-account.ts';
import { reportOf } from './report-of.ts';

type Outcome = NonNullable<Facets<TwilioAccount['credentials'], TwilioAccount['settings']>['outcome']>;

/** Twilio's own advice for reports that never came. */
const AFTER_MS = 12 * 3_600_000;

export const outcome: Outcome = {
  afterMs: AFTER_MS,

  async ask(messageId, account, tools) {
    const twilio = await callTwilio(account, tools);
    const { status, errorCode, errorMessage } = await twilio.messages(messageId).fetch();
    const fields = {
      MessageSid: messageId,
      ErrorCode: errorCode == null ? null : String(errorCode),
      ErrorMessage: errorMessage ?? null,
    };
    const event = reportOf(fields, status);
    return event.type === 'delivery-reported' ? event : null;
  },
};
