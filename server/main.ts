import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../core/runtime.ts';
import type { Service } from '../core/service.ts';
import { StartError } from '../core/start-error.ts';
import { type App, buildApp } from './app.ts';

type Listening = Pick<Runtime['config'], 'HOST' | 'PORT'>;

/** Starts the server. Throws a StartError when it cannot listen where it should. */
export async function start(runtime: Runtime): Promise<Service & { readonly address: string }> {
  const { HOST, PORT, SHUTDOWN_SECONDS } = runtime.config;
  const app = buildApp(runtime);
  const address = await listen(app, { HOST, PORT });
  runtime.database.announce(address);
  await runtime.processes.take('server');
  return { address, stop: () => stop(app, SHUTDOWN_SECONDS * 1_000) };
}

async function listen(app: App, { HOST, PORT }: Listening): Promise<string> {
  try {
    return await app.listen({ host: HOST, port: PORT });
  } catch (error) {
    await app.close();
    throw explain(error, { HOST, PORT });
  }
}

function explain(error: unknown, { HOST, PORT }: Listening): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `PORT holds ${PORT}, where another program listens on ${HOST}: stop that one, or choose another port.`,
        error,
      );
    case 'EACCES':
      return new StartError(
        `PORT holds ${PORT}, where this user may not listen: choose one from 1024, or run as a user who may.`,
        error,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        `HOST holds "${HOST}", which is no address of this machine: use 127.0.0.1, or 0.0.0.0 for all of them.`,
        error,
      );
    default:
      return error;
  }
}

/** Requests in flight may end within `patienceMs`; what still runs then is cut off. */
async function stop(app: App, patienceMs: number): Promise<void> {
  const patience = new AbortController();
  const enough = wait(patienceMs, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([app.drain(), enough]);
  patience.abort();
  app.server.closeAllConnections();
  await app.close();
}
