import type { Facets } from '../../../core/contract/facets.ts';
import { callTwilio } from '../call-twilio.ts';
import { addressOf } from '../messaging/address.ts';
import type { WhatsappAccount, WhatsappSettings } from './manifest.ts';

type Typing = NonNullable<Facets<WhatsappAccount['credentials'], WhatsappSettings>['typing']>;

export const typing: Typing = {
  lastsMs: 25_000,
  marksRead: true,

  async show(to, account, tools) {
    const { heard } = addressOf(to);
    if (heard === null) return;
    const twilio = await callTwilio(account, tools);
    await twilio.messaging.v2.typingIndicator.create({
      channel: 'whatsapp',
      messageId: heard,
    });
  },
};
