import type { Connector } from '../../core/contract/connector.ts';
import { budgets } from './budgets.ts';
import { deliver } from './deliver.ts';
import { fetchFile } from './fetch-file.ts';
import { findSent } from './find-sent.ts';
import { guide } from './guide.ts';
import { type IntercomAccount, manifest } from './manifest.ts';
import { normalise } from './normalise.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { tenancy } from './tenancy.ts';
import { webhook } from './webhook.ts';

export const intercom: Connector<IntercomAccount['credentials'], IntercomAccount['settings']> = {
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
    guide,
    tenancy,
    hasInbox: true,
    fetchFile,
    findSent,
    staleAfterMs: ({ settings }) => settings.silence_hours * 3_600_000,
  },
};
