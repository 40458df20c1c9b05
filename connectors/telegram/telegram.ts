import type { Connector } from '../../core/contract/connector.ts';
import { acknowledge } from './acknowledge.ts';
import { budgets } from './budgets.ts';
import { deliver } from './deliver.ts';
import { enrol } from './enrol.ts';
import { fetchFile } from './fetch-file.ts';
import { intakeOf } from './intake-of.ts';
import { listenAt } from './listen.ts';
import { manifest, type TelegramAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import { prepare } from './prepare.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { retire } from './retire.ts';
import { streaming } from './streaming.ts';
import { typing } from './typing.ts';
import { webhook } from './webhook.ts';

export const telegram: Connector<TelegramAccount['credentials'], TelegramAccount['settings']> = {
  manifest,
  intakeOf,
  webhook,
  listen: listenAt({ pollMs: 30_000, graceMs: 10_000, patienceMs: 90_000, pauseMs: 1_000 }),
  probe,
  normalise,
  render,
  deliver,
  budgets,
  facets: { acknowledge, streaming, typing, enrol, prepare, retire, fetchFile },
};
