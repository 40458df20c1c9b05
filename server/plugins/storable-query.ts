import type { FastifyInstance } from 'fastify';
import { storableJson } from '../../core/storable-json.ts';

/** What query strings hold is made `storable` before it is looked at, as what bodies hold is. */
export function storableQuery(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    request.query = storableJson(request.query, JSON.stringify(request.query));
  });
}
