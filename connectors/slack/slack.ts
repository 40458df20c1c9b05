import type { Connector } from '../../core/contract/connector.ts';
import { about } from './about.ts';
import { budgets, deliver, findSent, typing, welcome } from './deliver.ts';
import { fetchFile } from './files.ts';
import { createListener } from './listener.ts';
import { manifest, type SlackAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import { render } from './render.ts';
import { guideValues, probe, tenancy } from './setup.ts';
import { streaming } from './streaming.ts';
import { fetchSenderProfile, fetchThreadContext } from './thread-history.ts';
import { intakeMode, webhook } from './webhook.ts';

export const slack: Connector<SlackAccount['credentials'], SlackAccount['settings']> = {
  about,
  manifest,
  intakeOf: intakeMode,
  webhook,
  listen: createListener({ silenceMs: 60_000, patienceMs: 90_000, pauseMs: 1_000 }),
  probe,
  normalise,
  render,
  deliver,
  budgets,
  facets: {
    streaming,
    tenancy,
    guideValues,
    typing,
    welcome,
    fetchThreadContext,
    fetchSenderProfile,
    fetchFile,
    findSent,
  },
};
