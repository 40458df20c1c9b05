import type { Connector } from '../../core/contract/connector.ts';
import { begin } from './begin.ts';
import { budgets } from './budgets.ts';
import { deliver } from './deliver.ts';
import { fetchFile } from './fetch-file.ts';
import { listenAt } from './listen.ts';
import { type EmailAccount, manifest } from './manifest.ts';
import { normalise } from './normalise.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';

export const email: Connector<EmailAccount['credentials'], EmailAccount['settings']> = {
  manifest,
  intakeOf: () => 'listener',
  webhook: null,
  listen: listenAt({ beatMs: 45_000, graceMs: 20_000, patienceMs: 90_000, pauseMs: 1_000 }),
  probe,
  normalise,
  render,
  deliver,
  budgets,
  facets: { begin, hasInbox: true, fetchFile },
};
