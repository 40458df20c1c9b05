import type { Connector } from '../../core/contract/connector.ts';
import { about } from './about.ts';
import { budgets, deliver, findSent } from './deliver.ts';
import { fetchFile } from './files.ts';
import { type IntercomAccount, manifest } from './manifest.ts';
import { normalise } from './normalise.ts';
import { render } from './render.ts';
import { createTenancy, guideValues, probe } from './setup.ts';
import { createWebhook } from './webhook.ts';

export const intercom: Connector<IntercomAccount['credentials'], IntercomAccount['settings']> = {
  about,
  manifest,
  guideValues,
  open: (account) => ({
    intake: 'webhook',
    webhook: createWebhook(account),
    listen: null,
    probe: (tools) => probe(account, tools),
    normalise: (native) => normalise(native, account),
    render: (reply, to) => render(reply, to, account),
    deliver: (part, to, tools) => deliver(part, to, account, tools),
    budgets,
    tenancy: createTenancy(account),
    fetchFile: (reference, tools) => fetchFile(reference, account, tools),
    findSent: (sought, tools) => findSent(sought, account, tools),
    staleAfterMs: account.settings.silence_hours * 3_600_000,
  }),
};
