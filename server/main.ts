import { once } from 'node:events';
import { createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { explainListenFault } from '../core/health/health-port.ts';
import type { Service } from '../core/process/shutdown.ts';
import type { Runtime } from '../core/runtime.ts';
import { type App, buildApp } from './app.ts';

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
    await runtime.processes.addRole('server');
    return { address, stop: () => stop(app, SHUTDOWN_SECONDS * 1_000) };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function listen(app: App, place: { readonly host: string; readonly port: number }): Promise<string> {
  try {
    return await listenOnSharedSockets(app, place);
  } catch (error) {
    throw explainListenFault(error, { ...place, variable: 'PORT' });
  }
}

/** So long a stream that is cut off has for its last frame. */
const finalFrameMs = 1_000;

/** Requests in flight may end within `patienceMs`; what still runs then is cut off, streams with a word of why. */
async function stop(app: App, patienceMs: number): Promise<void> {
  const patience = new AbortController();
  const enough = wait(patienceMs, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([app.drain(), enough]);
  patience.abort();
  await Promise.race([app.cutOff(), wait(finalFrameMs)]);
  await nextTurn();
  app.server.closeAllConnections();
  await app.close();
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** So many new connections are taken in one turn of the event loop. */
const socketCount = 8;

/**
 * Listens on one port with several sockets. The event loop takes a single new connection from each of them in a turn,
 * and with a thousand streams open its turns take 50 ms: by one socket, newcomers would wait at the door for seconds.
 * Returns the address. One socket it is where the system or Node does not let them share a port.
 */
export async function listenOnSharedSockets(app: FastifyInstance, place: ListenAddress): Promise<string> {
  if (process.platform !== 'linux') return app.listen(place);
  if (place.port !== 0) await requireFreePort(place);
  const shared = { ...place, reusePort: true };
  const others = Array.from({ length: socketCount - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket)),
  );
  app.addHook('preClose', async () => {
    for (const other of others) other.close();
  });
  const address = await app.listen(shared);
  const port = Number(new URL(address).port);
  await Promise.allSettled(others.map((other) => once(other.listen({ ...shared, port }), 'listening')));
  return address;
}

/** A shared port would be shared with another Parley too. Throws what listening on a port that is taken throws. */
async function requireFreePort(place: ListenAddress): Promise<void> {
  const probe = createServer().listen(place);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
