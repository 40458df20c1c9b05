import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';

/**
 * Answers the methods that a known route does not take with 405 and `Allow`. Call it before the first route is
 * added; the returned function, called after the last one, adds the answers.
 */
export function methodNotAllowed(app: FastifyInstance): (app: FastifyInstance) => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set();
    known.set(url, methods);
    for (const name of [method].flat()) methods.add(name);
  });
  return (complete) => {
    for (const [url, methods] of [...known]) {
      const allow = [...methods].sort().join(', ');
      const others = complete.supportedMethods.filter((name) => !methods.has(name));
      if (others.length === 0) continue;
      complete.route({
        url,
        method: others,
        schema: { hide: true },
        onRequest: async (_request, reply) => {
          reply.header('allow', allow);
          throw new AppError('method_not_allowed');
        },
        handler: () => {},
      });
    }
  };
}
