import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type AgentCaller, anonymousCaller } from '../../core/answering/ask-publicly.ts';
import { runInBackground } from '../../core/base/async.ts';
import { AppError } from '../../core/base/errors.ts';
import { isWorkspaceId } from '../../core/base/ids.ts';
import { CursorSeal } from '../../core/base/pagination.ts';
import { findWorkspaceForKey } from '../../core/limits/admission.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { PublicAgent } from '../nlweb/public-agent.ts';
import {
  limitPublicRate,
  publicBaseUrl,
  publicWorkspace,
  requirePublicWorkspace,
  workspaceParamsSchema,
} from '../nlweb/public-workspace.ts';
import { keyAdmission } from '../plugins/admission.ts';
import { admitRequest } from '../plugins/api-key.ts';
import type { TypedApp } from '../typed-app.ts';

/**
 * Registers the Model Context Protocol server of a workspace, over Streamable HTTP. It is stateless, so that
 * any process can answer any request: there are no sessions to GET or DELETE.
 */
export function mcpRoutes(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  admitKeyHolder(app, runtime, timeoutMs);
  requirePublicWorkspace(app, runtime, 'mcp_enabled');
  requireAllowedOrigin(app, runtime);
  mcpPreflight(app);
  app.register(async (scope: TypedApp) => {
    limitPublicRate(scope, runtime);
    postMcp(scope, runtime, { timeoutMs, callerOf });
  });
}

/**
 * Admits a request with an API key of the workspace's owner, even if the workspace is not public. The limits
 * of the key then replace those of the IP address. Throws the errors of /v1 for an invalid key and for one that lacks the
 * scope `query`, `workspace_not_found`, and `workspace_access_denied` for a workspace that the key does not reach.
 */
function admitKeyHolder(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === undefined) return;
    await admitRequest(runtime, { request, reply, timeoutMs, scope: 'query' });
    const { workspace_id } = workspaceParamsSchema.parse(request.params);
    if (!isWorkspaceId(workspace_id)) throw new AppError('workspace_not_found');
    const { holder } = keyAdmission.get(request);
    publicWorkspace.set(request, await findWorkspaceForKey(runtime.workspaces, holder, workspace_id));
  });
}

/**
 * Returns the caller of a request. An API key can use every audience of its workspace on /v1, so it can use
 * all of them here. Conversations of one key are not accessible to other keys or to anonymous callers.
 */
function callerOf(request: FastifyRequest): AgentCaller {
  const found = keyAdmission.find(request);
  if (found === undefined) return anonymousCaller;
  const { audiences = [] } = publicWorkspace.get(request).settings;
  const { id, mode } = found.holder;
  return { audience: audiences, sessionId: `mcp ${id}`, isTest: mode === 'test' };
}

/** Answers the CORS preflight of allowed pages. */
function mcpPreflight(app: TypedApp): void {
  app.options('', { schema: { hide: true } }, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers':
          'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID, X-Request-Id',
        'access-control-max-age': '86400',
      })
      .send(),
  );
}

interface McpOptions {
  /** Milliseconds after which a question is aborted. */
  readonly timeoutMs: number;
  readonly callerOf: (request: FastifyRequest) => AgentCaller;
}

/** `POST /api/nlweb/{workspace_id}/mcp`: one message of the protocol, answered in one response. */
function postMcp(app: TypedApp, runtime: Runtime, { timeoutMs, callerOf }: McpOptions): void {
  const { publicRate, database, installation } = runtime;
  const cursors = new CursorSeal(installation.secretBox);
  app.post('', { schema: { hide: true } }, async (request, reply) => {
    const workspace = publicWorkspace.get(request);
    // Older clients can send several messages in one batch. Each counts as a request.
    const batched = Array.isArray(request.body) ? request.body.slice(1) : [];
    for (const _message of batched) {
      if (keyAdmission.find(request) === undefined) await publicRate.take(workspace.id, request.ip);
      else await admitRequest(runtime, { request, reply, timeoutMs, scope: 'query' });
    }
    const agent = new PublicAgent(runtime, { workspace, timeoutMs, caller: callerOf(request) });
    const { buildMcpServer, WebStandardStreamableHTTPServerTransport } = await loadProtocol();
    const server = buildMcpServer(agent, { database: database.kysely, cursors, log: request.log });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const response = await transport.handleRequest(
      toWebRequest(request, publicBaseUrl(runtime.config, request)),
      {
        parsedBody: request.body,
      },
    );
    reply.raw.once('close', () => {
      runInBackground(server.close(), (err) => request.log.warn({ err }, 'MCP server close failed'));
    });
    return reply.send(response);
  });
}

/** Imported lazily, because the library of the protocol is large. */
async function loadProtocol() {
  const [{ buildMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import('./build-server.ts'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ]);
  return { buildMcpServer, WebStandardStreamableHTTPServerTransport };
}

/** Converts the URL and the headers for the transport. The body is already parsed. */
function toWebRequest({ url, method, headers }: FastifyRequest, base: string): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  );
  return new Request(new URL(url, base), { method, headers: pairs.map(([name, value]) => [name, value]) });
}

/**
 * Restricts browser calls of `app` to pages of known origins. Otherwise any page could reach a server on its
 * visitor's own computer or network. Throws `origin_not_allowed`. Clients other than browsers send no origin.
 */
function requireAllowedOrigin(app: TypedApp, { config }: Runtime): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return;
    const allowedDomains = publicWorkspace.get(request).settings.allowed_domains ?? [];
    const allowed = { host: request.host, publicUrl: config.PUBLIC_URL, allowedDomains };
    if (!isAllowedOrigin(origin, allowed)) throw new AppError('origin_not_allowed');
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'X-Request-Id, Retry-After',
    });
  });
}

interface AllowedOrigins {
  /** The Host header of the request. */
  readonly host: string;
  readonly publicUrl: string | undefined;
  /** The host names that the owner of the workspace allows. */
  readonly allowedDomains: readonly string[];
}

/**
 * Returns whether a page of `origin` may call the server: its own pages and those of allowed domains may. An
 * equal Host and Origin prove nothing if the host is a name, because the owner of a name can point it to any
 * IP address (DNS rebinding). Then only the configured URL counts.
 */
export function isAllowedOrigin(
  origin: string,
  { host, publicUrl, allowedDomains }: AllowedOrigins,
): boolean {
  const parsed = URL.parse(origin);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
  if (publicUrl !== undefined && parsed.origin === new URL(publicUrl).origin) return true;
  if (allowedDomains.some((domain) => domain.toLowerCase() === parsed.hostname)) return true;
  return parsed.host === host.toLowerCase() && isLocalhostOrIp(parsed.hostname);
}

function isLocalhostOrIp(hostname: string): boolean {
  return hostname === 'localhost' || ipaddr.isValid(hostname.replace(/^\[(.*)\]$/, '$1'));
}
