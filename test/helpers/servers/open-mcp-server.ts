import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll } from 'vitest';
import { openPublicServer } from './open-public-server.ts';

/** A server that listens, and the protocol's own client to call it with. */
export async function openMcpServer(options: Parameters<typeof openPublicServer>[0] = {}) {
  const server = await openPublicServer(options);
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const urlOf = (workspaceId: string) => `${address}/api/nlweb/${workspaceId}/mcp`;
  return {
    ...server,
    address,
    urlOf,
    async connect(workspaceId: string, headers: Record<string, string> = {}): Promise<Client> {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(urlOf(workspaceId)), {
        requestInit: { headers },
      });
      await client.connect(transport);
      afterAll(() => client.close());
      return client;
    },
    /** One message of the protocol, as any HTTP client sends it. */
    send: (workspaceId: string, message: unknown, headers: Record<string, string> = {}) =>
      fetch(urlOf(workspaceId), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify(message),
      }),
  };
}
