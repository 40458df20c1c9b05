import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { characters } from '../../schemas/characters.ts';
import { emailSchema } from '../../schemas/email-schema.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import { noContentSchema } from '../../schemas/no-content-schema.ts';
import type { TypedApp } from '../../typed-app.ts';
import { currentVisitor } from '../visitor-session.ts';
import { type RouteKind, sessionRoute } from './route-kind.ts';

/** `POST …/contact`. */
export function postContact(app: TypedApp, { visitors }: Runtime, kind: RouteKind): void {
  const schema = {
    ...sessionRoute(kind),
    summary: 'Leave an address for the answer of a person',
    operationId: 'leaveContact',
    description:
      'Stores the address at which the visitor wants the answer of a person. For a visitor with a proven identity nothing is changed, as the site vouches for their address.',
    body: z.object({ email: emailSchema, name: characters({ min: 1, max: 200 }).optional() }),
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute', 'challenge_required'),
    },
  };
  app.post('/contact', { schema }, async (request, reply) => {
    const { email, name } = request.body;
    await visitors.leaveContact(currentVisitor.of(request), { email, name: name ?? null });
    return reply.code(204).send();
  });
}
