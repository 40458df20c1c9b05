import type { Connector } from '../../core/contract/connector.ts';
import { about } from './about.ts';
import { budgets, createTyping, deliver, findSent, welcome } from './deliver.ts';
import { fetchFile } from './files.ts';
import { createListener } from './listener.ts';
import { manifest, type SlackAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import { render } from './render.ts';
import { createTenancy, guideValues, probe } from './setup.ts';
import { createStreaming } from './streaming.ts';
import { fetchSenderProfile, fetchThreadContext } from './thread-history.ts';
import { createWebhook, intakeMode } from './webhook.ts';

const listen = createListener({ silenceMs: 60_000, patienceMs: 90_000, pauseMs: 1_000 });

export const slack: Connector<SlackAccount['credentials'], SlackAccount['settings']> = {
  about,
  manifest,
  guideValues,
  open: (account) => ({
    intake: intakeMode(account),
    webhook: createWebhook(account),
    listen: (tools) => listen(account, tools),
    probe: (tools) => probe(account, tools),
    normalise: (native) => normalise(native, account),
    render,
    deliver: (part, to, tools) => deliver(part, to, account, tools),
    budgets: (to) => budgets(to, account),
    streaming: createStreaming(account),
    typing: createTyping(account),
    tenancy: createTenancy(account),
    welcome: (to, tools) => welcome(to, account, tools),
    fetchThreadContext: (joined, tools) => fetchThreadContext(joined, account, tools),
    fetchSenderProfile: (person, tools) => fetchSenderProfile(person, account, tools),
    fetchFile: (reference, tools) => fetchFile(reference, account, tools),
    findSent: (sought, tools) => findSent(sought, account, tools),
  }),
};
