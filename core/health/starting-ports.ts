import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AppError } from '../base/errors.ts';
import { type Config, readConfig } from '../config/config.ts';

/** Migrations and the loading of a model take seconds or minutes. */
const RETRY_SECONDS = 5;

/** The ports of a process that is starting. */
export interface StartingPorts {
  /** Tells /readyz that the database is being migrated. */
  migrating(): void;
  /** Frees the ports for the process's own listeners. */
  close(): Promise<void>;
}

/**
 * Opens the ports of the named services before anything else is loaded: /healthz answers at once, so that no supervisor
 * kills a process that migrates, /readyz says what the process is doing, and every other request is to be sent again. A
 * port that cannot be opened is left to the service, which reports it.
 */
export async function openStartingPorts(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<StartingPorts> {
  let status: 'starting' | 'migrating' = 'starting';
  const servers: Server[] = [];
  for (const { host, port } of findPlaces(names, environment)) {
    const server = createServer((request, response) => respond(request, response, status));
    try {
      await once(server.listen(port, host), 'listening');
      servers.push(server.unref());
    } catch {
      // The service opens the same port, and says why it cannot.
    }
  }
  return {
    migrating() {
      status = 'migrating';
    },
    async close() {
      for (const server of servers.splice(0)) {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }
    },
  };
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Port 0 is any free one, which nobody knows yet. */
function findPlaces(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly Place[] {
  const config = readConfigOrNull(environment);
  if (config === null) return [];
  const ports = [names.includes('server') ? config.PORT : undefined, config.METRICS_PORT];
  return ports.flatMap((port) => (port === undefined || port === 0 ? [] : [{ host: config.HOST, port }]));
}

/** Null if a variable is wrong, which the start reports. */
function readConfigOrNull(environment: Readonly<Record<string, string | undefined>>): Config | null {
  try {
    return readConfig(environment);
  } catch {
    return null;
  }
}

function respond({ method, url = '' }: IncomingMessage, response: ServerResponse, status: string): void {
  const path = url.split('?', 1)[0];
  const { status: refused, code, message } = new AppError('deploying');
  const answer =
    path === '/healthz'
      ? { code: 200, body: { status: 'alive' } }
      : { code: refused, body: { code, detail: message, ...(path === '/readyz' && { status }) } };
  response.writeHead(answer.code, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // A request body is not read.
    connection: 'close',
    ...(answer.code !== 200 && { 'retry-after': `${RETRY_SECONDS}` }),
  });
  response.end(method === 'HEAD' ? undefined : JSON.stringify(answer.body));
}
