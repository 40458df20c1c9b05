import type { AnyConnector } from '../core/contract/connector.ts';
import { defineConnector } from './define-connector.ts';
import { discord } from './discord/discord.ts';
import { email } from './email/email.ts';
import { hosted } from './hosted/hosted.ts';
import { intercom } from './intercom/intercom.ts';
import { slack } from './slack/slack.ts';
import { telegram } from './telegram/telegram.ts';
import { sms } from './twilio/sms/sms.ts';
import { voice } from './twilio/voice/voice.ts';
import { whatsapp } from './twilio/whatsapp/whatsapp.ts';
import { widget } from './widget/widget.ts';

/** Every channel, in the order in which lists show them. */
export const connectors: readonly AnyConnector[] = [
  defineConnector(slack),
  defineConnector(discord),
  defineConnector(telegram),
  defineConnector(whatsapp),
  defineConnector(sms),
  defineConnector(voice),
  defineConnector(email),
  defineConnector(intercom),
  defineConnector(widget),
  defineConnector(hosted),
];

export function findConnector(channel: string): AnyConnector | undefined {
  return connectors.find(({ manifest }) => manifest.channel === channel);
}
