import type { Connector } from '../../core/contract/connector.ts';
import { budgets } from './budgets.ts';
import { deliver } from './deliver.ts';
import { earlier } from './earlier.ts';
import { fetchFile } from './fetch-file.ts';
import { findSent } from './find-sent.ts';
import { guide } from './guide.ts';
import { intakeOf } from './intake-of.ts';
import { introduce } from './introduce.ts';
import { listenAt } from './listen.ts';
import { manifest, type SlackAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { streaming } from './streaming.ts';
import { tenancy } from './tenancy.ts';
import { typing } from './typing.ts';
import { webhook } from './webhook.ts';
import { welcome } from './welcome.ts';

export const slack: Connector<SlackAccount['credentials'], SlackAccount['settings']> = {
  manifest,
  intakeOf,
  webhook,
  listen: listenAt({ silenceMs: 60_000, patienceMs: 90_000, pauseMs: 1_000 }),
  probe,
  normalise,
  render,
  deliver,
  budgets,
  facets: { streaming, tenancy, guide, typing, welcome, earlier, introduce, fetchFile, findSent },
};
