import type { Connector } from '../../core/contract/connector.ts';
import { about } from './about.ts';
import { budgets, deliver, findSent } from './deliver.ts';
import { fetchFile } from './files.ts';
import { type IntercomAccount, manifest } from './manifest.ts';
import { normalise } from './normalise.ts';
import { render } from './render.ts';
import { guideValues, probe, tenancy } from './setup.ts';
import { webhook } from './webhook.ts';

export const intercom: Connector<IntercomAccount['credentials'], IntercomAccount['settings']> = {
  about,
  manifest,
  intakeOf: () => 'webhook',
  webhook,
  listen: null,
  probe,
  normalise,
  render,
  deliver,
  budgets,
  facets: {
    guideValues,
    tenancy,
    hasInbox: true,
    fetchFile,
    files: 'shown',
    findSent,
    staleAfterMs: ({ settings }) => settings.silence_hours * 3_600_000,
  },
};
