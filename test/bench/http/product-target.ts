import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { prepareStep } from '../steps/prepare-step.ts';
import { runStep } from '../steps/run-step.ts';
import { startProcess } from './managed-process.ts';
import { policyQuestion } from './policies.ts';
import type { Target } from './target.ts';

const main = resolve(import.meta.dirname, '../../../main.ts');
const minutesToPrepare = 3;

export interface ProductTarget extends Target {
  readonly keys: readonly string[];
}

interface How {
  readonly keys?: number;
  /** The core of the process; absent: all cores. */
  readonly core?: number;
}

/** Starts the product as `npm start` runs it, on storage of its own. */
export async function startProduct(
  name: string,
  environment: Readonly<Record<string, string>>,
  { keys: keyCount = 1, core }: How = {},
): Promise<ProductTarget> {
  const port = await freePort();
  const { keys } = await runStep(prepareStep, { environment, keys: keyCount }, minutesToPrepare);
  const server = await startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', main, 'server', 'workers'],
    environment: { DRAIN_SECONDS: '0', ...environment, PORT: `${port}` },
    ready: /listens on http/,
    ...(core !== undefined && { core }),
  });
  const address = `http://127.0.0.1:${port}`;
  await untilDashboardIsBuilt(address);
  return {
    name,
    keys,
    address,
    pid: server.pid,
    headers: [`Authorization: Bearer ${keys[0] ?? ''}`],
    body: JSON.stringify({ query: policyQuestion }),
    stop: () => server.stop(),
  };
}

/** A first start builds the browser app in the background, which would take the processor from the first figures. */
async function untilDashboardIsBuilt(address: string): Promise<void> {
  for (;;) {
    const page = await fetch(`${address}/dashboard`);
    if (!(await page.text()).includes('/assets/reload.js')) return;
    await wait(250);
  }
}
