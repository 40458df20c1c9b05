import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../core/runtime.ts';
import type { Service } from '../core/service.ts';
import { StartError } from '../core/start-error.ts';
import { type App, buildApp } from './app.ts';
import { listenWidely } from './listen-widely.ts';
import { buildMetricsApp } from './metrics/build-metrics-app.ts';

interface Listening {
  readonly host: string;
  readonly port: number;
  /** The variable that the port comes from. */
  readonly variable: 'PORT' | 'METRICS_PORT';
}

export interface RunningServer extends Service {
  readonly address: string;
  /** Where /metrics is read without a token, if anywhere. */
  readonly metricsAddress: string | null;
}

/** Starts the server. Throws a StartError when it cannot listen where it should. */
export async function start(runtime: Runtime): Promise<RunningServer> {
  const { HOST: host, PORT, METRICS_PORT, SHUTDOWN_SECONDS } = runtime.config;
  const app = buildApp(runtime);
  const metrics = METRICS_PORT === undefined ? null : { app: buildMetricsApp(runtime), port: METRICS_PORT };
  const closeMetrics = async () => metrics?.app.close();
  try {
    const metricsAddress =
      metrics &&
      (await listen({ host, port: metrics.port, variable: 'METRICS_PORT' }, (place) =>
        metrics.app.listen(place),
      ));
    const address = await listen({ host, port: PORT, variable: 'PORT' }, (place) => listenWidely(app, place));
    runtime.database.announce(address);
    await runtime.processes.take('server');
    return {
      address,
      metricsAddress,
      async stop() {
        await stop(app, SHUTDOWN_SECONDS * 1_000);
        await closeMetrics();
      },
    };
  } catch (error) {
    await Promise.all([app.close(), closeMetrics()]);
    throw error;
  }
}

async function listen(
  listening: Listening,
  open: (place: Pick<Listening, 'host' | 'port'>) => Promise<string>,
): Promise<string> {
  try {
    return await open({ host: listening.host, port: listening.port });
  } catch (error) {
    throw explain(error, listening);
  }
}

function explain(error: unknown, { host, port, variable }: Listening): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `${variable} holds ${port}, where another program listens on ${host}: stop that one, or choose another port.`,
        error,
      );
    case 'EACCES':
      return new StartError(
        `${variable} holds ${port}, where this user may not listen: choose one from 1024, or run as a user who may.`,
        error,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        `HOST holds "${host}", which is no address of this machine: use 127.0.0.1, or 0.0.0.0 for all of them.`,
        error,
      );
    default:
      return error;
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
