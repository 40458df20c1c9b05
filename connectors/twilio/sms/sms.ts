import type { ConversationRef, Json, Tools } from '../../../core/contract/account.ts';
import type { Connector } from '../../../core/contract/connector.ts';
import type { GuideFacts } from '../../../core/contract/facets.ts';
import type { Budget } from '../../../core/contract/outbound.ts';
import { expectPlatform } from '../../shared/http.ts';
import { requireNumber, type TwilioAccount, webhookUrlForGuide } from '../account.ts';
import { createTwilioClient } from '../api-client.ts';
import { deliver, findSent, outcome } from '../messaging/deliver.ts';
import { fetchFile } from '../messaging/files.ts';
import { parseAddress } from '../messaging/identifiers.ts';
import { type Medium, probeSender } from '../messaging/medium.ts';
import { createNormaliser } from '../messaging/normalise.ts';
import { createMessageWebhook } from '../messaging/webhook.ts';
import { manifest } from './manifest.ts';
import { render } from './render.ts';

/** Those of Twilio and the carriers, which Twilio confirms itself, and those that we say can be written. */
export const smsMedium: Medium = {
  prefix: '',
  words: {
    STOP: 'opt-out',
    STOPALL: 'opt-out',
    UNSUBSCRIBE: 'opt-out',
    CANCEL: 'opt-out',
    END: 'opt-out',
    QUIT: 'opt-out',
    REVOKE: 'opt-out',
    OPTOUT: 'opt-out',
    START: 'resume',
    UNSTOP: 'resume',
    YES: 'resume',
    HELP: 'left-to-twilio',
    INFO: 'left-to-twilio',
    MORE: 'more',
    MEHR: 'more',
    MAS: 'more',
    MÁS: 'more',
    SUITE: 'more',
  },
};

export const sms: Connector<TwilioAccount['credentials'], TwilioAccount['settings']> = {
  manifest,
  intakeOf: () => 'webhook',
  webhook: createMessageWebhook(smsMedium),
  listen: null,
  probe,
  normalise: createNormaliser(smsMedium),
  render,
  deliver,
  budgets,
  facets: { guide, fetchFile, findSent, outcome },
};

/** What an operator does in Twilio's Console. */
function guide({ webhookUrl }: Pick<GuideFacts, 'webhookUrl'>): string {
  return [
    'In the Twilio Console, under Phone Numbers, Manage, Active numbers, open the number.',
    `1. Messaging Configuration, "A message comes in": Webhook, ${webhookUrlForGuide(webhookUrl)}, HTTP POST. Of a messaging service the same under Integration.`,
    '2. To write to the United States from a number of ten digits, register it for 10DLC under Messaging, Regulatory compliance: carriers drop what comes from others without a word to the visitor. A toll-free number wants to be verified there.',
    '3. Where the registration is rejected with 30893, 30909 or 30923: sample messages have to be what is really sent, the message flow has to say how visitors come to write to you, and nobody may have to agree to messages to be served.',
  ].join('\n');
}

/** Whose account it is; the number has to be one of it that sends messages. */
function probe(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Twilio', account, () => profileOf(account, tools));
}

async function profileOf(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const profile = await probeSender(account, tools);
  await requireNumber(await createTwilioClient(account, tools), account, 'sms');
  return profile;
}

/** A number of ten digits sends one segment a second in the United States; Twilio keeps what is more in a queue. */
const NUMBER = { everyMs: 1_000, burst: 30 };
/** Nobody reads faster, and who is sent more in a row takes us for a machine gone wild. */
const VISITOR = { everyMs: 2_000, burst: 5 };

function budgets(to: ConversationRef): readonly Budget[] {
  const { visitor, number } = parseAddress(to);
  return [
    { key: `to:${visitor}`, ...VISITOR },
    { key: `from:${number}`, ...NUMBER },
  ];
}
