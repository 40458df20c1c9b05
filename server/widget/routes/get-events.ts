import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { visitorDoor } from '../visitor-door.ts';
import { currentVisitor } from '../visitor-session.ts';
import { eventsOf } from './events-of.ts';
import { visitorMessageSchema } from './message-schema.ts';
import { NewsStream } from './news-stream.ts';
import { type StreamingRoute, sessionRoute } from './route-kind.ts';
import { visitorStateSchema } from './state-schema.ts';

const frame = z
  .union([
    visitorStateSchema.extend({ event: z.literal('state') }).meta({
      id: 'StateFrame',
      description: 'The first frame, and one after each change.',
    }),
    z.object({ event: z.literal('message'), message: visitorMessageSchema }).meta({
      id: 'MessageFrame',
      description: 'What a person said.',
    }),
  ])
  .meta({ description: 'The JSON of one event.' });

export type NewsFrame = z.output<typeof frame>;

const mostSeconds = 3_600;

/** `GET …/events`: what people say and what becomes of the conversation, as it happens. */
export function getEvents(app: TypedApp, runtime: Runtime, { kind, limits }: StreamingRoute): void {
  const schema = {
    ...sessionRoute(kind),
    summary: 'Hear what people say, as it happens',
    operationId: 'hearVisitorEvents',
    description:
      'Sends replies of people and changes of status as server-sent events. The stream ends when the client disconnects, the session ends or the server stops; open it again then and read the messages for what was missed.',
    querystring: z.object({
      seconds: z.coerce.number().int().min(1).max(mostSeconds).catch(mostSeconds).default(mostSeconds).meta({
        description: 'It ends after so long, as for who has to read it whole.',
      }),
    }),
    response: {
      200: eventsOf(frame, 'Server-sent events.'),
      ...errorResponses(
        'channel_not_found',
        'origin_not_allowed',
        'rate_limit_minute',
        'rate_limit_concurrent',
      ),
    },
  };
  app.get('/events', { schema }, (request, reply) => {
    const { account, sessionOf } = visitorDoor.of(request);
    return new NewsStream(runtime, {
      request,
      reply,
      limits,
      visitor: currentVisitor.of(request),
      session: { channelId: account.id, token: sessionOf(request) },
      seconds: request.query.seconds,
    }).run();
  });
}
