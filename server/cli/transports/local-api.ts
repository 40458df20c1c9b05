import pretty from 'pino-pretty';
import { connectors, findConnector } from '../../../connectors/registry.ts';
import { createLog } from '../../../core/base/log.ts';
import type { Config } from '../../../core/config/config.ts';
import { openRuntime, type Runtime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../app.ts';
import type { Exchange } from './http-api.ts';
import { createApiCall } from './http-api.ts';
import type { OperatorApi } from './operator-api.ts';

export interface LocalOptions {
  /** Indexes documents until the API is closed; null if nothing needs indexing. */
  readonly startIngest: ((runtime: Runtime) => Promise<() => Promise<void>>) | null;
  /** Receives the operator's token if it was created now. */
  readonly onNewToken: (token: string) => void;
}

/** Opens the API in this process for the duration of the command. Throws StartErrors. */
export async function openLocalApi(config: Config, options: LocalOptions): Promise<OperatorApi> {
  const log = createLog('error', pretty({ destination: 2, sync: true }));
  const runtime = await openRuntime(config, log, { connectors: { connectors, findConnector } });
  try {
    const { adminToken, adminTokenIsNew } = runtime.installation;
    if (adminTokenIsNew) options.onNewToken(adminToken);
    const app = await buildApp(runtime);
    const host = hostOf(config);
    const stopIndexing = await options.startIngest?.(runtime);
    const exchange: Exchange = async ({ method, path, headers, body }) => {
      const payload = body === null ? {} : { payload: Buffer.from(body) };
      const response = await app.inject({ method, url: path, headers: { ...headers, host }, ...payload });
      return { status: response.statusCode, text: response.payload };
    };
    return {
      outlivesCommand: false,
      call: createApiCall(exchange, adminToken),
      async close() {
        await stopIndexing?.();
        await app.close();
        await runtime.close();
      },
    };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

/** Returns the host and port of this installation's server. URLs in responses begin with it. */
function hostOf({ HOST, PORT }: Config): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const host = everywhere[HOST] ?? HOST;
  return `${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}
