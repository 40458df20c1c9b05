import { z } from 'zod';
import { identifyVisitor } from '../../../core/answering/ask.ts';
import type { ConversationServices } from '../../../core/runtime/open-conversations.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
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
  summary: 'Start a session of a visitor',
  operationId: 'openSession',
  description:
    'Starts a session that is anonymous or belongs to a visitor with a verified identity, as in a query. A verified visitor sees their history on every device. With `previous_session`, the conversations of that session move to the new one, and the old session ends.',
  body: z.object({ ...identitySchema.shape, previous_session: z.string().optional() }),
  response: {
    201: z
      .object({
        session: z
          .string()
          .meta({ description: 'The token for the header Authorization: Bearer. Store it in the browser.' }),
        expires_at: z.iso.datetime(),
        visitor: z.object({
          verified: z.boolean(),
          name: z.string().nullable(),
          email: z.string().nullable(),
          email_verified: z.boolean().nullable().meta({
            description: 'true if the address comes from a verification_token. Null if there is no address.',
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

export function deleteSession(app: TypedApp, { visitors }: ConversationServices, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'End a session of a visitor',
    operationId: 'closeSession',
    description: 'Ends the session immediately. The messages are kept.',
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

export function postContact(app: TypedApp, { visitors }: ConversationServices, kind: VisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: "Store an email address for an agent's reply",
    operationId: 'leaveContact',
    description:
      "Stores the email address at which the visitor wants the agent's reply. Nothing changes for a visitor with a verified identity, because the site confirms their address.",
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
