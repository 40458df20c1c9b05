import type { Connector } from '../../core/contract/connector.ts';
import { about } from './about.ts';
import { budgets, createTyping, deliver } from './deliver.ts';
import { fetchFile } from './files.ts';
import { createListener } from './listener.ts';
import { type DiscordAccount, intakeMode, manifest, staleAfterMs } from './manifest.ts';
import { normalise } from './normalise.ts';
import { render } from './render.ts';
import { guideValues, prepare, probe, registerWebhook, unregisterWebhook } from './setup.ts';
import { createWebhook } from './webhook.ts';

const listen = createListener({
  helloMs: 5_000,
  readyMs: 15_000,
  ackMs: 4_000,
  invalidMs: [1_000, 4_000],
  identifyMs: 5_000,
  pauseMs: 500,
  longestPauseMs: 15_000,
  patienceMs: 150_000,
});

export const discord: Connector<DiscordAccount['credentials'], DiscordAccount['settings']> = {
  about,
  manifest,
  guideValues,
  open: (account) => ({
    intake: intakeMode(account),
    webhook: createWebhook(account),
    listen: (tools) => listen(account, tools),
    probe: (tools) => probe(account, tools),
    normalise: (native) => normalise(native, account),
    render: (reply, to) => render(reply, to, account),
    deliver: (part, to, tools) => deliver(part, to, account, tools),
    budgets,
    typing: createTyping(account),
    registerWebhook: (tools) => registerWebhook(account, tools),
    unregisterWebhook: (tools) => unregisterWebhook(account, tools),
    prepare: (tools) => prepare(account, tools),
    staleAfterMs: staleAfterMs(account),
    // One bot serves many servers, each of which may belong to another workspace.
    tenancy: { tenant: account.settings.guild_id ?? null, oauth: null },
    fetchFile: (reference, tools) => fetchFile(reference, account, tools),
  }),
};
