import type { Connector } from '../../../core/contract/connector.ts';
import { deliver } from '../messaging/deliver.ts';
import { fetchFile } from '../messaging/fetch-file.ts';
import { findSent } from '../messaging/find-sent.ts';
import { messageWebhook } from '../messaging/message-webhook.ts';
import { normaliser } from '../messaging/normaliser.ts';
import { outcome } from '../messaging/outcome.ts';
import type { TwilioAccount } from '../twilio-account.ts';
import { budgets } from './budgets.ts';
import { guide } from './guide.ts';
import { manifest } from './manifest.ts';
import { smsMedium } from './medium.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';

export const sms: Connector<TwilioAccount['credentials'], TwilioAccount['settings']> = {
  manifest,
  intakeOf: () => 'webhook',
  webhook: messageWebhook(smsMedium),
  listen: null,
  probe,
  normalise: normaliser(smsMedium),
  render,
  deliver,
  budgets,
  facets: { guide, fetchFile, findSent, outcome },
};
