import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { whenSettled } from '../../../core/async.ts';
import { AppError } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/runtime.ts';
import type { Visitor } from '../../../core/visitors/visitor.ts';
import { listVisitorMessages, loadVisitorState } from '../../../core/visitors/visitor-conversation.ts';
import { EventStream, eventStreamResponse } from '../../event-stream.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { chatEntry } from '../chat-entry.ts';
import { currentVisitor } from '../visitor-guards.ts';
import { presentVisitorMessage, visitorMessageSchema, visitorStateSchema } from './message-schema.ts';
import { type StreamingVisitorRoute, type StreamLimits, sessionRouteSchema } from './visitor-route.ts';

const visitorEventSchema = z
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

type VisitorEvent = z.output<typeof visitorEventSchema>;

const maxSeconds = 3_600;

/** `GET …/events`: what people say and what becomes of the conversation, as it happens. */
export function getEvents(app: TypedApp, runtime: Runtime, { kind, limits }: StreamingVisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Hear what people say, as it happens',
    operationId: 'hearVisitorEvents',
    description:
      'Sends replies of people and changes of status as server-sent events. The stream ends when the client disconnects, the session ends or the server stops; open it again then and read the messages for what was missed.',
    querystring: z.object({
      seconds: z.coerce.number().int().min(1).max(maxSeconds).catch(maxSeconds).default(maxSeconds).meta({
        description: 'It ends after so long, as for who has to read it whole.',
      }),
    }),
    response: {
      200: eventStreamResponse(visitorEventSchema, 'Server-sent events.'),
      ...errorResponses(
        'channel_not_found',
        'origin_not_allowed',
        'rate_limit_minute',
        'rate_limit_concurrent',
      ),
    },
  };
  app.get('/events', { schema }, (request, reply) => {
    const { account, readSession: sessionOf } = chatEntry.get(request);
    return new VisitorEventStream(runtime, {
      request,
      reply,
      limits,
      visitor: currentVisitor.get(request),
      session: { channelId: account.id, token: sessionOf(request) },
      seconds: request.query.seconds,
    }).run();
  });
}

interface VisitorEventStreamOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly limits: StreamLimits;
  readonly visitor: Visitor;
  /** That it is open for: it may end meanwhile. */
  readonly session: { readonly channelId: string; readonly token: string };
  /** It ends after so long. */
  readonly seconds: number;
}

/** Of one visitor on one server: so many tabs listen, and no more connections are held open for him. */
const maxStreams = 6;
/** So much of what people said is looked through for what is new. */
const recentCount = 20;
/** Also where the database does not tell, as behind some poolers: nobody waits longer than this. */
const pollMs = 15_000;

const openStreams = new Map<string, number>();

/** Tells a visitor what people say in his conversation, until he goes away or the server stops. */
class VisitorEventStream {
  readonly #runtime: Runtime;
  readonly #listening: VisitorEventStreamOptions;
  readonly #events: EventStream;
  readonly #sentIds = new Set<string>();
  readonly #gone = Promise.withResolvers<void>();
  #state = '';
  #isLooking = false;
  #again = false;

  constructor(runtime: Runtime, listening: VisitorEventStreamOptions) {
    this.#runtime = runtime;
    this.#listening = listening;
    this.#events = new EventStream(listening.reply, listening.limits);
  }

  async run(): Promise<void> {
    const { visitor, reply, limits, seconds } = this.#listening;
    const streams = openStreams.get(visitor.id) ?? 0;
    if (streams >= maxStreams) {
      throw new AppError('rate_limit_concurrent', {
        detail: `At most ${maxStreams} streams of one visitor.`,
        retryAfterSeconds: 10,
      });
    }
    openStreams.set(visitor.id, streams + 1);
    const { raw } = reply;
    raw.once('close', () => this.#gone.resolve());
    const stop = () => raw.end();
    limits.drain.signal.addEventListener('abort', stop);
    const enough = setTimeout(stop, seconds * 1_000);
    const timer = setInterval(() => this.#requestPoll(), pollMs);
    const end = await this.#runtime.visitorNews.listen(visitor.id, () => this.#requestPoll());
    try {
      for (const { id } of await this.#latest()) this.#sentIds.add(id);
      this.#events.open();
      this.#requestPoll();
      if (raw.destroyed || limits.drain.signal.aborted) stop();
      else await this.#gone.promise;
    } finally {
      end();
      clearInterval(timer);
      clearTimeout(enough);
      limits.drain.signal.removeEventListener('abort', stop);
      const left = (openStreams.get(visitor.id) ?? 1) - 1;
      if (left > 0) openStreams.set(visitor.id, left);
      else openStreams.delete(visitor.id);
    }
  }

  /** What happens while it looks is looked at once more. */
  #requestPoll(): void {
    if (!this.#events.opened) return;
    this.#again = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    whenSettled(this.#poll(), () => {
      this.#isLooking = false;
    });
  }

  async #poll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.#sendChanges().catch((err: unknown) => {
        this.#listening.request.log.warn({ err }, 'a visitor could not be told what is new');
      });
    }
  }

  async #sendChanges(): Promise<void> {
    const { database, clock, visitors } = this.#runtime;
    const { reply, session } = this.#listening;
    const visitor = await visitors.find(session.channelId, session.token);
    if (visitor === null || visitor.mustProve) {
      reply.raw.end();
      return;
    }
    const news = (await this.#latest()).filter(({ id }) => !this.#sentIds.has(id)).toReversed();
    for (const message of news) {
      this.#sentIds.add(message.id);
      await this.#send({ event: 'message', message: presentVisitorMessage(message) });
    }
    const state = await loadVisitorState(database.kysely, this.#listening.visitor, clock.now());
    const told = JSON.stringify(state);
    // What was seen meanwhile changes the count without a word.
    if (told === this.#state && news.length === 0) return;
    this.#state = told;
    await this.#send({ event: 'state', ...state });
  }

  async #latest() {
    const { visitor } = this.#listening;
    const { database } = this.#runtime;
    const { items } = await listVisitorMessages(database.kysely, visitor, {
      limit: recentCount,
      fromPeople: true,
    });
    return items;
  }

  #send(frame: VisitorEvent): void | Promise<void> {
    return this.#events.send(frame);
  }
}
