import type { Json, Tools } from '../../../core/contract/account.ts';
import type { Connector } from '../../../core/contract/connector.ts';
import { expectPlatform } from '../../shared/http.ts';
import { requireActiveAccount, requireNumber } from '../account.ts';
import { createTwilioClient } from '../api-client.ts';
import { createOutcome } from '../messaging/deliver.ts';
import { about } from './about.ts';
import { budgets, deliver } from './deliver.ts';
import { manifest, type VoiceAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import { createRelaySocket } from './relay/relay-session.ts';
import { render } from './render.ts';
import { createWebhook } from './webhook.ts';

export const voice: Connector<VoiceAccount['credentials'], VoiceAccount['settings']> = {
  about,
  manifest,
  open: (account) => ({
    intake: 'webhook',
    webhook: createWebhook(account),
    listen: null,
    socket: createRelaySocket(account),
    probe: (tools) => probe(account, tools),
    normalise: (native, receivedAt) => normalise(native, account, receivedAt),
    render: (reply, to) => render(reply, to, account),
    deliver: (part, to, tools) => deliver(part, to, account, tools),
    budgets,
    outcome: createOutcome(account),
  }),
};

/** Checks the credentials, and that the account owns the number and can receive calls with it. */
function probe(account: VoiceAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Twilio', account, () => profileOf(account, tools));
}

async function profileOf(account: VoiceAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const twilio = await createTwilioClient(account, tools);
  const name = await requireActiveAccount(twilio, account);
  await requireNumber(twilio, account, 'voice');
  return { account: name, number: account.settings.from };
}
