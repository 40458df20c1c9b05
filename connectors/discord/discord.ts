import type { Connector } from '../../core/contract/connector.ts';
import { budgets } from './budgets.ts';
import { deliver } from './deliver.ts';
import { enrol, retire } from './enrol.ts';
import { fetchFile } from './fetch-file.ts';
import { guide } from './guide.ts';
import { intakeOf } from './intake-of.ts';
import { listenAt } from './listen.ts';
import { type DiscordAccount, manifest } from './manifest.ts';
import { normalise } from './normalise.ts';
import { prepare } from './prepare.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { staleAfterMs } from './stale-after-ms.ts';
import { tenancy } from './tenancy.ts';
import { typing } from './typing.ts';
import { webhook } from './webhook.ts';

export const discord: Connector<DiscordAccount['credentials'], DiscordAccount['settings']> = {
  manifest,
  intakeOf,
  webhook,
  listen: listenAt({
    helloMs: 5_000,
    readyMs: 15_000,
    ackMs: 4_000,
    invalidMs: [1_000, 4_000],
    identifyMs: 5_000,
    pauseMs: 500,
    longestPauseMs: 15_000,
    patienceMs: 150_000,
  }),
  probe,
  normalise,
  render,
  deliver,
  budgets,
  facets: { typing, enrol, retire, prepare, guide, staleAfterMs, tenancy, fetchFile },
};
