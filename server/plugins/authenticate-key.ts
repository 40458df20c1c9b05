import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { plans } from '../../core/workspaces/plan.ts';
import { bearerToken } from './bearer-token.ts';
import { keyHolder } from './key-holder.ts';

/** Every route of `app` takes an API key of a plan with API access, before anything else is looked at. */
export function authenticateKey(app: FastifyInstance, { apiKeys }: Runtime): void {
  app.addHook('onRequest', async (request) => {
    const holder = await apiKeys.authenticate(bearerToken(request.headers, 'API_KEY'));
    if (!plans[holder.plan].apiAccess) throw new AppError('feature_not_in_plan');
    keyHolder.set(request, holder);
  });
}
