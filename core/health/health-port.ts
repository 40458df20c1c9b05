import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { runInBackground } from '../base/async.ts';
import { AppError, StartError } from '../base/errors.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { addGauges, type Measured } from './gauges.ts';
import type { Readiness } from './readiness.ts';

interface ListenTarget {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port. */
  readonly variable: 'PORT' | 'METRICS_PORT';
}

/**
 * Returns a StartError with advice if an operator can fix why a port cannot be opened, otherwise the error
 * itself.
 */
export function explainListenFault(error: unknown, { host, port, variable }: ListenTarget): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `${variable} is ${port}, but another program already uses this port on ${host}. Stop that program, or set ${variable} to another port.`,
        error,
      );
    case 'EACCES':
      return new StartError(
        `${variable} is ${port}, but this user has no permission to open that port. Set ${variable} to a port from 1024, or run as a user with that permission.`,
        error,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        `HOST is "${host}", which is not an address of this machine. Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.`,
        error,
      );
    default:
      return error;
  }
}

interface Dependencies extends Measured {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly config: Pick<Config, 'HOST' | 'METRICS_PORT'>;
}

export interface HealthPort {
  /** Such as http://127.0.0.1:9090. */
  readonly address: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | string;
}

/**
 * Serves /healthz, /readyz and /metrics of this process on METRICS_PORT, without a token: everyone who can
 * reach the port can read them. Returns null if METRICS_PORT is not set. Throws a StartError if the port cannot
 * be opened.
 */
export async function openHealthPort(dependencies: Dependencies): Promise<HealthPort | null> {
  const { HOST: host, METRICS_PORT: port } = dependencies.config;
  if (port === undefined) return null;
  const server = createServer((request, response) => {
    runInBackground(respond(dependencies, request, response), (err) => {
      dependencies.log.warn({ err }, 'health request failed');
      response.destroy();
    });
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw explainListenFault(error, { host, port, variable: 'METRICS_PORT' });
  }
  const bound = server.address();
  const name = host.includes(':') ? `[${host}]` : host;
  const address = `http://${name}:${typeof bound === 'object' && bound !== null ? bound.port : port}`;
  dependencies.log.info({ address }, 'health port opened');
  return {
    address,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(
  dependencies: Dependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await handleRequest(dependencies, request);
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isText ? dependencies.metrics.contentType : 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : isText ? body : JSON.stringify(body));
}

async function handleRequest(
  dependencies: Dependencies,
  { method, url = '' }: IncomingMessage,
): Promise<Answer> {
  const path = url.split('?', 1)[0] ?? '';
  if (!['/healthz', '/readyz', '/metrics'].includes(path)) return refuse(new AppError('route_not_found'));
  if (method !== 'GET' && method !== 'HEAD') {
    return { ...refuse(new AppError('method_not_allowed')), headers: { allow: 'GET, HEAD' } };
  }
  if (path === '/healthz') return { status: 200, body: { status: 'alive' } };
  if (path === '/metrics') return { status: 200, body: await readMetrics(dependencies) };
  const checks = await dependencies.readiness.parts();
  const refusal = dependencies.readiness.refusal(checks);
  if (refusal === null) return { status: 200, body: { status: 'ready', checks } };
  return refuse(refusal, { checks });
}

function readMetrics(dependencies: Dependencies): Promise<string> {
  return dependencies.metrics.text((registry) => addGauges(registry, dependencies));
}

function refuse({ status, code, message, retryAfterSeconds }: AppError, fields: object = {}): Answer {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` };
  return { status, headers, body: { code, detail: message, ...fields } };
}
