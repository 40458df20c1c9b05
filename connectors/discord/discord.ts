import type { Connector } from '../../core/contract/connector.ts';
import { about } from './about.ts';
import { budgets, deliver, typing } from './deliver.ts';
import { fetchFile } from './files.ts';
import { createListener } from './listener.ts';
import { type DiscordAccount, intakeMode, manifest, staleAfterMs } from './manifest.ts';
import { normalise } from './normalise.ts';
import { render } from './render.ts';
import { guideValues, prepare, probe, registerWebhook, tenancy, unregisterWebhook } from './setup.ts';
import { webhook } from './webhook.ts';

export const discord: Connector<DiscordAccount['credentials'], DiscordAccount['settings']> = {
  about,
  manifest,
  intakeOf: intakeMode,
  webhook,
  listen: createListener({
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
  facets: {
    typing,
    registerWebhook,
    unregisterWebhook,
    prepare,
    guideValues,
    staleAfterMs,
    tenancy,
    fetchFile,
  },
};
