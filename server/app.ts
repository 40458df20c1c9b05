import websocket from '@fastify/websocket';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Runtime } from '../core/runtime/runtime.ts';
import { adminRoutes } from './admin/admin.ts';
import { getReportKey } from './admin/insights/report-key.ts';
import { type DashboardOptions, dashboardRoutes } from './dashboard/dashboard.ts';
import { signInRoutes } from './dashboard/sign-in.ts';
import { docsRoutes } from './docs/docs.ts';
import { Drain } from './drain.ts';
import { fileRoutes } from './files.ts';
import { getHealthz, getReadyz } from './health.ts';
import { hostedRoutes } from './hosted/hosted.ts';
import { installRoutes } from './install.ts';
import { getMetrics, measureRequests } from './metrics.ts';
import { nlwebRoutes } from './nlweb/nlweb.ts';
import { openapiRoute } from './openapi/openapi.ts';
import { addErrorResponses } from './openapi/route-errors.ts';
import { admitRefusedRequests } from './plugins/api-key.ts';
import { requireOperatorToken } from './plugins/bearer-token.ts';
import { compression } from './plugins/compression.ts';
import { handleClientError, handleErrors, handleUnknownMethods, sendError } from './plugins/errors.ts';
import { requireOwnHost } from './plugins/own-address.ts';
import { cleanQueryStrings, compileValidator, parseJsonBodies } from './plugins/request-input.ts';
import { handleEveryRequest, parseRequestId, RequestLog } from './plugins/request-log.ts';
import { sealCursors } from './schemas/pagination.ts';
import { getSecurityText } from './security-txt.ts';
import type { TypedApp } from './typed-app.ts';
import { v1 } from './v1/v1.ts';
import type { SocketLimits } from './webhooks/sockets.ts';
import { sourceWebhookRoutes } from './webhooks/source-webhooks.ts';
import { webhookRoutes } from './webhooks/webhooks.ts';
import { getAssets } from './widget/assets.ts';
import { widgetRoutes } from './widget/widget.ts';

export interface AppOptions {
  /** Milliseconds after which a query is aborted; defaults to 30 seconds. */
  readonly queryTimeoutMs?: number;
  /** Milliseconds after which a streamed answer is cut off; defaults to 30 seconds. */
  readonly streamTimeoutMs?: number;
  /** Milliseconds between keep-alive comments of a stream; defaults to 10 seconds. */
  readonly keepAliveMs?: number;
  /** Milliseconds by which a simulated slow answer is late; defaults to 10 seconds. */
  readonly slowMs?: number;
  /** Seconds after which an agent's stream of news ends, unless its request says sooner; defaults to an hour. */
  readonly liveSeconds?: number;
  /** Limits for sockets of platforms; each defaults to the server's own limit. */
  readonly sockets?: Partial<SocketLimits>;
  readonly dashboard?: DashboardOptions;
}

export interface App extends FastifyInstance {
  /** Rejects new requests from now on, and resolves when the last request in flight has ended. */
  drain(): Promise<void>;
  /** Ends the remaining work, with a final event on streams, and resolves when it has ended. */
  cutOff(): Promise<void>;
}

const bodyLimit = 2 ** 20;
/** The maximum size of a message that a platform sends over a socket. */
const socketBytes = 64 * 1024;
const headerBytes = 16 * 1024;

/** Builds the server without listening. */
export function buildApp(runtime: Runtime, options: AppOptions = {}): App {
  const app = createFastify(runtime);
  const drain = new Drain();
  const addRefusals = handleUnknownMethods(app);
  // It is registered before all routes, so that upgrade requests without a matching route are answered and their
  // connections closed.
  app.register(websocket, {
    options: { maxPayload: socketBytes },
    errorHandler: (err, socket, request) => {
      request.log.warn({ err }, 'socket failed');
      socket.close();
    },
  });
  compression(app);
  parseJsonBodies(app);
  cleanQueryStrings(app);
  sealCursors(app, runtime);
  handleErrors(app);
  measureRequests(app, runtime.metrics);
  handleEveryRequest(app, runtime, drain);
  addErrorResponses(app);
  openapiRoute(app, runtime.config.PUBLIC_URL);
  app.register(async (scope: TypedApp) => {
    getHealthz(scope);
    getReadyz(scope, runtime);
    getSecurityText(scope, runtime);
    getReportKey(scope, runtime);
    docsRoutes(scope);
  });
  app.register(async (scope: TypedApp) => {
    requireOperatorToken(scope, runtime);
    getMetrics(scope, runtime);
  });
  const limits = {
    queryTimeoutMs: options.queryTimeoutMs ?? 30_000,
    streamTimeoutMs: options.streamTimeoutMs ?? 30_000,
    keepAliveMs: options.keepAliveMs ?? 10_000,
  };
  const { slowMs = 10_000 } = options;
  admitRefusedRequests(app, runtime, limits.queryTimeoutMs);
  app.register(async (scope: TypedApp) => v1(scope, runtime, { ...limits, drain, slowMs }), {
    prefix: '/v1',
  });
  app.register(async (scope: TypedApp) => nlwebRoutes(scope, runtime, limits), {
    prefix: '/api/nlweb/:workspace_id',
  });
  let browserBuild: string | null = null;
  const longestSeconds = options.liveSeconds ?? 3_600;
  const live = { ...limits, drain, longestSeconds, build: () => browserBuild };
  const { config } = runtime;
  app.register(
    async (scope: TypedApp) => {
      requireOwnHost(scope, config);
      adminRoutes(scope, runtime, live);
    },
    { prefix: '/admin/v1' },
  );
  app.register(async (scope: TypedApp) => {
    requireOwnHost(scope, config);
    signInRoutes(scope, runtime);
  });
  app.register(
    async (scope: TypedApp) => webhookRoutes(scope, runtime, { drain, sockets: options.sockets }),
    {
      prefix: '/webhooks',
    },
  );
  app.register(async (scope: TypedApp) => sourceWebhookRoutes(scope, runtime), {
    prefix: '/webhooks/sources',
  });
  app.register(async (scope: TypedApp) => getAssets(scope));
  app.register(async (scope: TypedApp) => widgetRoutes(scope, runtime, { ...limits, drain }), {
    prefix: '/widget/:public_token',
  });
  app.register(async (scope: TypedApp) => hostedRoutes(scope, runtime, { ...limits, drain }), {
    prefix: '/c/:slug',
  });
  app.register(async (scope: TypedApp) => fileRoutes(scope, runtime), { prefix: '/files' });
  app.register(async (scope: TypedApp) => installRoutes(scope, runtime), { prefix: '/install' });
  const onBuilt = (name: string) => {
    browserBuild = name;
  };
  app.register(async (scope: TypedApp) => {
    requireOwnHost(scope, config);
    dashboardRoutes(scope, runtime, { onBuilt, ...options.dashboard });
  });
  app.register(async (scope) => addRefusals(scope));
  return Object.assign(app, { drain: () => drain.begin(), cutOff: () => drain.abort() });
}

function createFastify({ config, log }: Runtime): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    logController: new RequestLog(),
    genReqId: parseRequestId,
    trustProxy: config.TRUST_PROXY.length === 0 ? false : config.TRUST_PROXY,
    bodyLimit,
    // Leaves time for large uploads on slow connections. The routes themselves limit the time after a request
    // has arrived.
    requestTimeout: 300_000,
    // Longer than load balancers keep idle connections open, so that the server never closes a connection
    // that a load balancer is about to reuse.
    keepAliveTimeout: 75_000,
    connectionTimeout: 0,
    http: { headersTimeout: 60_000, maxHeaderSize: headerBytes },
    // As long as the request line may be, so that an id that is too long is reported as an unknown id.
    routerOptions: { maxParamLength: headerBytes },
    // While it closes, the server responds with its own errors.
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    frameworkErrors: sendError,
  });
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(serializerCompiler);
  return app.withTypeProvider<ZodTypeProvider>();
}
