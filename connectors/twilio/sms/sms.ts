import type { ConversationRef, Json, Tools } from '../../../core/contract/account.ts';
import type { Connector } from '../../../core/contract/connector.ts';
import type { Budget } from '../../../core/contract/outbound.ts';
import { expectPlatform } from '../../shared/http.ts';
import { requireNumber, type TwilioAccount } from '../account.ts';
import { createTwilioClient } from '../api-client.ts';
import { createOutcome, deliver, findSent } from '../messaging/deliver.ts';
import { fetchFile } from '../messaging/files.ts';
import { parseAddress } from '../messaging/identifiers.ts';
import { type Medium, probeSender } from '../messaging/medium.ts';
import { createNormaliser } from '../messaging/normalise.ts';
import { createMessageWebhook } from '../messaging/webhook.ts';
import { about } from './about.ts';
import { manifest } from './manifest.ts';
import { render } from './render.ts';

/** The keywords of Twilio and the carriers, which Twilio confirms itself, and those that our hints mention. */
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

const normalise = createNormaliser(smsMedium);

export const sms: Connector<TwilioAccount['credentials'], TwilioAccount['settings']> = {
  about,
  manifest,
  open: (account) => ({
    intake: 'webhook',
    webhook: createMessageWebhook(account, smsMedium),
    listen: null,
    probe: (tools) => probe(account, tools),
    normalise: (native, receivedAt) => normalise(native, account, receivedAt),
    render,
    deliver: (part, to, tools) => deliver(part, to, account, tools),
    budgets,
    fetchFile: (reference, tools) => fetchFile(reference, account, tools),
    findSent: (sought, tools) => findSent(sought, account, tools),
    outcome: createOutcome(account),
  }),
};

/** Checks the credentials, and that the account owns the number and can send messages with it. */
function probe(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Twilio', account, () => profileOf(account, tools));
}

async function profileOf(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const profile = await probeSender(account, tools);
  await requireNumber(await createTwilioClient(account, tools), account, 'sms');
  return profile;
}

/** A ten-digit number in the United States sends one segment a second. Twilio queues more. */
const NUMBER = { everyMs: 1_000, burst: 30 };
/** Faster messages to one visitor would look like a malfunction. */
const VISITOR = { everyMs: 2_000, burst: 5 };

function budgets(to: ConversationRef): readonly Budget[] {
  const { visitor, number } = parseAddress(to);
  return [
    { key: `to:${visitor}`, ...VISITOR },
    { key: `from:${number}`, ...NUMBER },
  ];
}
