import type { AnyConnector } from '../core/contract/connector.ts';
import { defineConnector } from './define-connector.ts';
import { hosted } from './hosted/hosted.ts';
import { intercom } from './intercom/intercom.ts';
import { telegram } from './telegram/telegram.ts';
import { sms } from './twilio/sms/sms.ts';
import { whatsapp } from './twilio/whatsapp/whatsapp.ts';
import { widget } from './widget/widget.ts';

/** Every channel, in the order in which they are listed. */
export const connectors: readonly AnyConnector[] = [
  defineConnector(telegram),
  defineConnector(whatsapp),
  defineConnector(sms),
  defineConnector(intercom),
  defineConnector(widget),
  defineConnector(hosted),
];

export function findConnector(channel: string): AnyConnector | undefined {
  return connectors.find(({ manifest }) => manifest.channel === channel);
}
