import type { FastifyRequest } from 'fastify';
import type { AgentCaller } from '../../core/answering/public-question.ts';
import { runInBackground } from '../../core/async.ts';
import { CursorSeal } from '../../core/cursor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { publicBase } from '../nlweb/public-base.ts';
import { publicWorkspace } from '../nlweb/public-workspace.ts';
import { admitRequest } from '../plugins/admit-key.ts';
import { admitted } from '../plugins/admitted.ts';
import { PublicAgent } from '../public-agent.ts';
import type { TypedApp } from '../typed-app.ts';

interface McpOptions {
  /** A question is given up after this many milliseconds. */
  readonly timeoutMs: number;
  readonly callerOf: (request: FastifyRequest) => AgentCaller;
}

/** `POST /api/nlweb/{workspace_id}/mcp`: a message of the protocol, answered in one response. */
export function postMcp(app: TypedApp, runtime: Runtime, { timeoutMs, callerOf }: McpOptions): void {
  const { publicRate, database, installation } = runtime;
  const cursors = new CursorSeal(installation.secretBox);
  app.post('', { schema: { hide: true } }, async (request, reply) => {
    const workspace = publicWorkspace.of(request);
    // Older clients may send several messages at once: each is a request.
    const further = Array.isArray(request.body) ? request.body.slice(1) : [];
    for (const _message of further) {
      if (admitted.find(request) === undefined) await publicRate.take(workspace.id, request.ip);
      else await admitRequest(runtime, { request, reply, timeoutMs });
    }
    const agent = new PublicAgent(runtime, { workspace, timeoutMs, caller: callerOf(request) });
    const { buildMcpServer, WebStandardStreamableHTTPServerTransport } = await protocol();
    const server = buildMcpServer(agent, { database: database.kysely, cursors, log: request.log });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const answer = await transport.handleRequest(asWebRequest(request, publicBase(runtime.config, request)), {
      parsedBody: request.body,
    });
    reply.raw.once('close', () => {
      runInBackground(server.close(), (err) => request.log.warn({ err }, 'MCP server close failed'));
    });
    return reply.send(answer);
  });
}

/** The protocol's own library is large: the first message reads it. */
async function protocol() {
  const [{ buildMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import('./build-mcp-server.ts'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ]);
  return { buildMcpServer, WebStandardStreamableHTTPServerTransport };
}

/** The address and the headers, as the transport reads them; the body is parsed already. */
function asWebRequest({ url, method, headers }: FastifyRequest, base: string): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  );
  return new Request(new URL(url, base), { method, headers: pairs.map(([name, value]) => [name, value]) });
}
