import type { Json, Tools } from '../../../core/contract/account.ts';
import type { Connector } from '../../../core/contract/connector.ts';
import { expectPlatform } from '../../shared/http.ts';
import { requireActiveAccount, requireNumber } from '../account.ts';
import { createTwilioClient } from '../api-client.ts';
import { outcome } from '../messaging/deliver.ts';
import { about } from './about.ts';
import { budgets, deliver } from './deliver.ts';
import { manifest, type VoiceAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import { relaySocket } from './relay/relay-session.ts';
import { render } from './render.ts';
import { webhook } from './webhook.ts';

export const voice: Connector<VoiceAccount['credentials'], VoiceAccount['settings']> = {
  about,
  manifest,
  intakeOf: () => 'webhook',
  webhook,
  listen: null,
  socket: relaySocket,
  probe,
  normalise,
  render,
  deliver,
  budgets,
  facets: { outcome, files: 'refused' },
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
