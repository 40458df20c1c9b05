import type { Connector } from '../../../core/contract/connector.ts';
import { deliver } from '../messaging/deliver.ts';
import { fetchFile } from '../messaging/fetch-file.ts';
import { findSent } from '../messaging/find-sent.ts';
import { messageWebhook } from '../messaging/message-webhook.ts';
import { normaliser } from '../messaging/normaliser.ts';
import { outcome } from '../messaging/outcome.ts';
import { probeSender } from '../messaging/probe-sender.ts';
import { budgets } from './budgets.ts';
import { guide } from './guide.ts';
import { manifest, type WhatsappAccount, type WhatsappSettings } from './manifest.ts';
import { whatsappMedium } from './medium.ts';
import { render } from './render.ts';
import { typing } from './typing.ts';
import { window } from './window.ts';

export const whatsapp: Connector<WhatsappAccount['credentials'], WhatsappSettings> = {
  manifest,
  intakeOf: () => 'webhook',
  webhook: messageWebhook(whatsappMedium),
  listen: null,
  probe: probeSender,
  normalise: normaliser(whatsappMedium),
  render,
  deliver,
  budgets,
  facets: { guide, typing, window, fetchFile, findSent, outcome },
};
