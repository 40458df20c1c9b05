// This script runs the product for a developer: `npm run dev`. A change of a file restarts it; a change of the
// dashboard's browser app is built in the running process, which tells the open pages. Not `node --watch`: under it,
// threads that load modules never start.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watch } from 'chokidar';
import { runInBackground, whenSettled } from '../core/base/async.ts';
import { createLog } from '../core/base/log.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['core', 'connectors', 'server', 'workers', 'main.ts'];
/** Files of browsers and texts. The widget's and the docs' are built at each start, so they restart it. */
const WITHOUT_RESTART = /^server\/dashboard\/browser\/|\.md$/u;

/** Open pages hold streams, for which a stopping server waits. Nothing is lost by a kill. */
const GRACE_MS = 2_000;

const log = createLog('warn');
const onError = (err: unknown) => log.error({ err }, 'restart failed');

let product = start();
let isRestarting = false;

function start(): ChildProcess {
  const parameters = ['--disable-warning=ExperimentalWarning', 'main.ts', 'server', 'workers', '--watch'];
  return spawn(process.execPath, parameters, { cwd: root, stdio: 'inherit' });
}

async function restart(): Promise<void> {
  if (isRestarting) return;
  isRestarting = true;
  await stop();
  product = start();
  isRestarting = false;
}

async function stop(): Promise<void> {
  const stopping = product;
  if (stopping.exitCode !== null || stopping.signalCode !== null) return;
  const ended = once(stopping, 'exit');
  stopping.kill('SIGTERM');
  const grace = setTimeout(() => stopping.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(grace);
}

watch(folders, { cwd: root, ignoreInitial: true }).on('all', (_event, path) => {
  const file = relative(root, path.startsWith('/') ? path : `${root}${path}`);
  // An editor that saves several files restarts it once: what changes until the product has ended counts.
  if (!WITHOUT_RESTART.test(file)) runInBackground(restart(), onError);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => whenSettled(stop(), () => process.exit()));
