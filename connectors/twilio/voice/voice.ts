import type { Connector } from '../../../core/contract/connector.ts';
import { outcome } from '../messaging/outcome.ts';
import { budgets } from './budgets.ts';
import { deliver } from './deliver.ts';
import { guide } from './guide.ts';
import { manifest, type VoiceAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import { probe } from './probe.ts';
import { relaySocket } from './relay/relay-socket.ts';
import { render } from './render.ts';
import { webhook } from './webhook.ts';

export const voice: Connector<VoiceAccount['credentials'], VoiceAccount['settings']> = {
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
  facets: { guide, outcome },
};
