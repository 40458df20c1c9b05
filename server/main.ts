import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { explainListenFault } from '../core/listen-fault.ts';
import type { Runtime } from '../core/runtime.ts';
import type { Service } from '../core/service.ts';
import { type App, buildApp } from './app.ts';
import { listenWidely } from './listen-widely.ts';

export interface RunningServer extends Service {
  readonly address: string;
}

/** Starts the server. Throws a StartError when it cannot listen where it should. */
export async function start(runtime: Runtime): Promise<RunningServer> {
  const { HOST: host, PORT: port, SHUTDOWN_SECONDS } = runtime.config;
  const app = buildApp(runtime);
  try {
    const address = await listen(app, { host, port });
    runtime.database.announce(address);
    await runtime.processes.take('server');
    return { address, stop: () => stop(app, SHUTDOWN_SECONDS * 1_000) };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function listen(app: App, place: { readonly host: string; readonly port: number }): Promise<string> {
  try {
    return await listenWidely(app, place);
  } catch (error) {
    throw explainListenFault(error, { ...place, variable: 'PORT' });
  }
}

/** So long a stream that is cut off has for its last frame. */
const lastWordsMs = 1_000;

/** Requests in flight may end within `patienceMs`; what still runs then is cut off, streams with a word of why. */
async function stop(app: App, patienceMs: number): Promise<void> {
  const patience = new AbortController();
  const enough = wait(patienceMs, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([app.drain(), enough]);
  patience.abort();
  await Promise.race([app.cutOff(), wait(lastWordsMs)]);
  await nextTurn();
  app.server.closeAllConnections();
  await app.close();
}
