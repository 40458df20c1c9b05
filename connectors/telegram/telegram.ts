import type { Connector } from '../../core/contract/connector.ts';
import { about } from './about.ts';
import { acknowledge } from './buttons.ts';
import { budgets, deliver } from './deliver.ts';
import { fetchFile } from './files.ts';
import { createListener } from './listener.ts';
import { intakeMode, manifest, type TelegramAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import { render } from './render.ts';
import { prepare, probe, registerWebhook, unregisterWebhook } from './setup.ts';
import { createStreaming, createTyping } from './streaming.ts';
import { createWebhook } from './webhook.ts';

const listen = createListener({ pollMs: 30_000, graceMs: 10_000, patienceMs: 90_000, pauseMs: 1_000 });

export const telegram: Connector<TelegramAccount['credentials'], TelegramAccount['settings']> = {
  about,
  manifest,
  open: (account) => ({
    intake: intakeMode(account),
    webhook: createWebhook(account),
    listen: (tools) => listen(account, tools),
    probe: (tools) => probe(account, tools),
    normalise: (native) => normalise(native, account),
    render: (reply, to) => render(reply, to, account),
    deliver: (part, to, tools) => deliver(part, to, account, tools),
    budgets: (to) => budgets(to, account),
    acknowledge: (native, tools) => acknowledge(native, account, tools),
    streaming: createStreaming(account),
    typing: createTyping(account),
    registerWebhook: (tools) => registerWebhook(account, tools),
    prepare: (tools) => prepare(account, tools),
    unregisterWebhook: (tools) => unregisterWebhook(account, tools),
    fetchFile: (reference, tools) => fetchFile(reference, account, tools),
  }),
};
