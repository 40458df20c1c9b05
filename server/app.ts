import websocket from '@fastify/websocket';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Runtime } from '../core/runtime.ts';
import { adminRoutes } from './admin/admin.ts';
import { docsRoutes } from './docs/docs.ts';
import { Drain } from './drain.ts';
import { getHealthz, getReadyz } from './health.ts';
import { hostedRoutes } from './hosted/hosted.ts';
import { installRoutes } from './install.ts';
import { getMetrics, measureRequests } from './metrics.ts';
import { nlwebRoutes } from './nlweb/nlweb.ts';
import { openapiRoute } from './openapi/openapi.ts';
import { addErrorResponses } from './openapi/route-errors.ts';
import { requireOperatorToken } from './plugins/bearer-token.ts';
import { compression } from './plugins/compression.ts';
import { handleClientError, handleErrors, handleUnknownMethods, sendError } from './plugins/errors.ts';
import { handleEveryRequest } from './plugins/every-request.ts';
import { cleanQueryStrings, compileValidator, parseJsonBodies } from './plugins/request-input.ts';
import { parseRequestId, RequestLog } from './plugins/request-log.ts';
import { sealCursors } from './schemas/pagination.ts';
import type { TypedApp } from './typed-app.ts';
import { v1 } from './v1/v1.ts';
import type { SocketLimits } from './webhooks/sockets.ts';
import { webhookRoutes } from './webhooks/webhooks.ts';
import { getAssets } from './widget/assets.ts';
import { widgetRoutes } from './widget/widget.ts';

export interface AppOptions {
  /** After so long a query is given up; 30 seconds when absent. */
  readonly queryTimeoutMs?: number;
  /** After so long a streamed answer is cut off; 30 seconds when absent. */
  readonly streamTimeoutMs?: number;
  /** How often a stream says that it is alive; every 10 seconds when absent. */
  readonly keepAliveMs?: number;
  /** What sockets of platforms may do; each as the server itself has it when absent. */
  readonly sockets?: Partial<SocketLimits>;
}

export interface App extends FastifyInstance {
  /** From now on new requests are refused; resolves when the last one in flight has ended. */
  drain(): Promise<void>;
  /** What can end itself with a last word is told to; resolves when it has. */
  cutOff(): Promise<void>;
}

const bodyLimit = 2 ** 20;
/** Of one message that a platform sends over a socket. */
const socketBytes = 64 * 1024;
const headerBytes = 16 * 1024;

/** The whole server, not listening yet. */
export function buildApp(runtime: Runtime, options: AppOptions = {}): App {
  const app = createFastify(runtime);
  const drain = new Drain();
  const addRefusals = handleUnknownMethods(app);
  // Before all routes: what is asked for with an upgrade that no route has is answered too, and its connection ended.
  app.register(websocket, {
    options: { maxPayload: socketBytes },
    errorHandler: (err, socket, request) => {
      request.log.warn({ err }, 'a socket failed');
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
  app.register(async (scope: TypedApp) => v1(scope, runtime, { ...limits, drain }), { prefix: '/v1' });
  app.register(async (scope: TypedApp) => nlwebRoutes(scope, runtime, limits), {
    prefix: '/api/nlweb/:workspace_id',
  });
  app.register(async (scope: TypedApp) => adminRoutes(scope, runtime, drain), { prefix: '/admin/v1' });
  app.register(
    async (scope: TypedApp) => webhookRoutes(scope, runtime, { drain, sockets: options.sockets }),
    {
      prefix: '/webhooks',
    },
  );
  app.register(async (scope: TypedApp) => getAssets(scope));
  app.register(async (scope: TypedApp) => widgetRoutes(scope, runtime, { ...limits, drain }), {
    prefix: '/widget/:public_token',
  });
  app.register(async (scope: TypedApp) => hostedRoutes(scope, runtime, { ...limits, drain }), {
    prefix: '/c/:slug',
  });
  app.register(async (scope: TypedApp) => installRoutes(scope, runtime), { prefix: '/install' });
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
    // Time for a large upload on a slow line; what a request may take once it is here, its route says.
    requestTimeout: 300_000,
    // Longer than a load balancer keeps an idle connection, so that it is never the one to be surprised.
    keepAliveTimeout: 75_000,
    connectionTimeout: 0,
    http: { headersTimeout: 60_000, maxHeaderSize: headerBytes },
    // No parameter is longer than the line it came in: too long an id is answered as any other unknown one.
    routerOptions: { maxParamLength: headerBytes },
    // While it closes it still answers, in our words.
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    frameworkErrors: sendError,
  });
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(serializerCompiler);
  return app.withTypeProvider<ZodTypeProvider>();
}
