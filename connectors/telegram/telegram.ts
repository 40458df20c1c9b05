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
import { streaming, typing } from './streaming.ts';
import { webhook } from './webhook.ts';

export const telegram: Connector<TelegramAccount['credentials'], TelegramAccount['settings']> = {
  about,
  manifest,
  intakeOf: intakeMode,
  webhook,
  listen: createListener({ pollMs: 30_000, graceMs: 10_000, patienceMs: 90_000, pauseMs: 1_000 }),
  probe,
  normalise,
  render,
  deliver,
  budgets,
  facets: {
    acknowledge,
    streaming,
    typing,
    registerWebhook,
    prepare,
    unregisterWebhook,
    fetchFile,
    files: 'shown',
  },
};
