import { once } from 'node:events';
import { createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { explainListenFault } from '../core/health/health-port.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import type { Service } from '../core/runtime/shutdown.ts';
import { type App, buildApp } from './app.ts';
import type { DashboardOptions } from './dashboard/dashboard.ts';

export interface RunningServer extends Service {
  readonly address: string;
}

/** Starts the server. Throws a StartError if it cannot listen on its host and port. */
export function start(runtime: Runtime): Promise<RunningServer> {
  return startWith(runtime, {});
}

/** Starts the server with a dashboard that is built again whenever one of its files changes. */
export async function startWatched(runtime: Runtime): Promise<RunningServer> {
  const { watchBundle } = await import('./dashboard/watch-bundle.ts');
  return startWith(runtime, { watched: await watchBundle(runtime.log) });
}

async function startWith(runtime: Runtime, dashboard: DashboardOptions): Promise<RunningServer> {
  const { HOST: host, PORT: port, SHUTDOWN_SECONDS } = runtime.config;
  const started = Promise.withResolvers<void>();
  const app = buildApp(runtime, { dashboard: { buildAfter: started.promise, ...dashboard } });
  try {
    const address = await listen(app, { host, port });
    runtime.database.announce(address);
    await runtime.processes.addRole('server');
    return { address, afterStart: started.resolve, stop: () => stop(app, SHUTDOWN_SECONDS * 1_000) };
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

/** Milliseconds in which an aborted stream can send its last frame. */
const finalFrameMs = 1_000;

/**
 * Stops the server. Requests in flight can finish within `patienceMs`; then they are cut off, streams with a
 * last frame that states the reason.
 */
async function stop(app: App, timeoutMs: number): Promise<void> {
  const timer = new AbortController();
  const timeout = wait(timeoutMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([app.drain(), timeout]);
  timer.abort();
  await Promise.race([app.cutOff(), wait(finalFrameMs)]);
  await nextTurn();
  app.server.closeAllConnections();
  await app.close();
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The maximum number of new connections per turn of the event loop. */
const socketCount = 8;

/**
 * Listens on one port with several sockets and returns the address. The event loop accepts one new connection
 * per socket and turn. With a thousand open streams a turn takes 50 ms, so with a single socket new clients
 * would wait for seconds. It uses one socket if the system or Node cannot share a port.
 */
export async function listenOnSharedSockets(app: FastifyInstance, place: ListenAddress): Promise<string> {
  if (process.platform !== 'linux') return app.listen(place);
  if (place.port !== 0) await requireFreePort(place);
  const shared = { ...place, reusePort: true };
  const extraServers = Array.from({ length: socketCount - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket)),
  );
  app.addHook('preClose', async () => {
    for (const other of extraServers) other.close();
  });
  const address = await app.listen(shared);
  const port = Number(new URL(address).port);
  await Promise.allSettled(extraServers.map((other) => once(other.listen({ ...shared, port }), 'listening')));
  return address;
}

/**
 * Checks that the port is free, because a shared port could also be shared with another Parley process.
 * Throws the error of listening on a port in use.
 */
async function requireFreePort(place: ListenAddress): Promise<void> {
  const probe = createServer().listen(place);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
