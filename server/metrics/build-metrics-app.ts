import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Runtime } from '../../core/runtime.ts';
import { errors } from '../plugins/errors.ts';
import { requestId } from '../plugins/request-id.ts';
import { RequestLog } from '../plugins/request-log.ts';
import type { TypedApp } from '../typed-app.ts';
import { getMetrics } from './get-metrics.ts';

/** A server for /metrics alone, which asks for no token: whoever reaches its port may read. Not listening yet. */
export function buildMetricsApp(runtime: Runtime): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = runtime.log;
  const app = fastify({ loggerInstance, logController: new RequestLog(), genReqId: requestId });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  errors(app);
  const typed: TypedApp = app.withTypeProvider<ZodTypeProvider>();
  getMetrics(typed, runtime);
  return app;
}
