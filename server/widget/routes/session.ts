import { z } from 'zod';
import { identifyVisitor } from '../../../core/answering/ask.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { boundedString, emailSchema } from '../../schemas/fields.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { identitySchema, parseIdentity } from '../../v1/query/identity.ts';
import { chatEntry, widgetParamsSchema } from '../chat-entry.ts';
import { currentVisitor, sessionCredential } from '../visitor-guards.ts';
import { sessionRouteSchema, type VisitorRoute } from './visitor-route.ts';

const postSessionSchema = {
  tags: ['Widget'],
  security: [],
  params: widgetParamsSchema,
  summary: 'Begin a session of a visitor',
  operationId: 'openSession',
  description:
    'Begins a session, anonymous or of a visitor whose identity is proven as in a query. A proven visitor finds their history on every device. With `previous_session` the conversations of that session pass to the new one, and it ends.',
  body: z.object({ ...identitySchema.shape, previous_session: z.string().optional() }),
  response: {
    201: z
      .object({
        session: z
          .string()
          .meta({ description: 'For the header Authorization: Bearer. Keep it in the browser.' }),
        expires_at: z.iso.datetime(),
        visitor: z.object({
          verified: z.boolean(),
          name: z.string().nullable(),
          email: z.string().nullable(),
          email_verified: z.boolean().nullable().meta({
            description: 'Whether verification_token has the address; null without one.',
          }),
        }),
      })
      .meta({ id: 'VisitorSession' }),
    ...errorResponses(
      'channel_not_found',
      'verification_required',
      'origin_not_allowed',
      'rate_limit_minute',
      'challenge_required',
    ),
  },
};

/** `POST …/session`. */
export function postSession(app: TypedApp, runtime: Runtime): void {
  app.post('/session', { schema: postSessionSchema }, async (request, reply) => {
    const { workspace, account } = chatEntry.get(request);
    const verified = await identifyVisitor(runtime, workspace, parseIdentity(request.body));
    const { token, visitor, expiresAt } = await runtime.visitors.open({
      workspaceId: workspace.id,
      channelId: account.id,
      verified,
      token: request.body.previous_session ?? null,
    });
    runtime.guesses.recognise('session', sessionCredential(account.id, token));
    const { name, email, emailVerified } = visitor.customer;
    return reply.code(201).send({
      session: token,
      expires_at: expiresAt.toISOString(),
      visitor: {
        verified: visitor.verified !== null,
        name,
        email,
        email_verified: email === null ? null : emailVerified,
      },
    });
  });
}

/** `DELETE …/session`: log out. */
export function deleteSession(app: TypedApp, { visitors }: Runtime, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Log out',
    operationId: 'closeSession',
    description: 'Ends the session at once. The messages stay stored.',
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute'),
    },
  };
  app.delete('/session', { schema }, async (request, reply) => {
    const { account, readSession: sessionOf } = chatEntry.get(request);
    await visitors.close(account.id, sessionOf(request));
    return reply.code(204).send();
  });
}

/** `POST …/contact`. */
export function postContact(app: TypedApp, { visitors }: Runtime, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Leave an address for the answer of a person',
    operationId: 'leaveContact',
    description:
      'Stores the address at which the visitor wants the answer of a person. For a visitor with a proven identity nothing is changed, as the site vouches for their address.',
    body: z.object({ email: emailSchema, name: boundedString({ min: 1, max: 200 }).optional() }),
    response: {
      204: noContentSchema,
      ...errorResponses('channel_not_found', 'origin_not_allowed', 'rate_limit_minute', 'challenge_required'),
    },
  };
  app.post('/contact', { schema }, async (request, reply) => {
    const { email, name } = request.body;
    await visitors.leaveContact(currentVisitor.get(request), { email, name: name ?? null });
    return reply.code(204).send();
  });
}
