import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { runInBackground, whenSettled } from '../../../core/base/async.ts';
import { AppError } from '../../../core/base/errors.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { Visitor } from '../../../core/visitors/visitor.ts';
import { listVisitorMessages, loadVisitorState } from '../../../core/visitors/visitor-conversation.ts';
import { EventStream, eventStreamResponse, newsAgeSchema } from '../../event-stream.ts';
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
      description: 'The first frame of the stream, and one after each change.',
    }),
    z.object({ event: z.literal('message'), message: visitorMessageSchema }).meta({
      id: 'MessageFrame',
      description: 'A message from an agent.',
    }),
    z.object({ event: z.literal('alive'), news_age_seconds: newsAgeSchema }).meta({
      id: 'VisitorAliveFrame',
      description:
        'Every ten seconds. The stream also looks for changes every 15 seconds, so that it brings them even without news.',
    }),
    z.object({ event: z.literal('typing'), name: z.string() }).meta({
      id: 'AgentTypingFrame',
      description: 'An agent writes. It holds for eight seconds, or until their message comes.',
    }),
  ])
  .meta({ description: 'The JSON of one event.' });

type VisitorEvent = z.output<typeof visitorEventSchema>;

const maxSeconds = 3_600;

/** `GET …/events`: streams replies of agents and changes of the conversation's state. */
export function getEvents(app: TypedApp, runtime: Runtime, { kind, limits }: StreamingVisitorRoute): void {
  const schema = {
    ...sessionRouteSchema(kind),
    summary: 'Stream replies of agents and changes of status',
    operationId: 'hearVisitorEvents',
    description:
      'Sends replies of agents and changes of status as server-sent events. The stream ends if the client disconnects, the session ends or the server stops. Reconnect then, and list the messages to find those that were missed.',
    querystring: z.object({
      seconds: z.coerce.number().int().min(1).max(maxSeconds).catch(maxSeconds).default(maxSeconds).meta({
        description:
          'The stream ends after this number of seconds. Useful for clients that read a response only as a whole.',
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
  /** The session of the stream. It may end while the stream is open. */
  readonly session: { readonly channelId: string; readonly token: string };
  /** Seconds after which the stream ends. */
  readonly seconds: number;
}

/** The maximum number of streams of one visitor on one server, for several open tabs. */
const maxStreams = 6;
/** The number of recent agent messages that each poll compares with those already sent. */
const recentCount = 20;
/** Polling interval, for databases behind poolers that do not support notifications. */
const pollMs = 15_000;

const typingNews = 'typing ';

const openStreams = new Map<string, number>();

/** Streams agent replies and state changes to a visitor until they disconnect or the server stops. */
class VisitorEventStream {
  readonly #runtime: Runtime;
  readonly #options: VisitorEventStreamOptions;
  readonly #events: EventStream;
  readonly #sentIds = new Set<string>();
  readonly #disconnected = Promise.withResolvers<void>();
  #state = '';
  #isPolling = false;
  #needsPoll = false;

  constructor(runtime: Runtime, options: VisitorEventStreamOptions) {
    this.#runtime = runtime;
    this.#options = options;
    this.#events = new EventStream(options.reply, {
      keepAliveMs: options.limits.keepAliveMs,
      signOfLife: () =>
        ({
          event: 'alive',
          news_age_seconds: runtime.visitorNews.ageSeconds(),
        }) satisfies VisitorEvent,
    });
  }

  async run(): Promise<void> {
    const { visitor, reply, limits, seconds } = this.#options;
    const streams = openStreams.get(visitor.id) ?? 0;
    if (streams >= maxStreams) {
      throw new AppError('rate_limit_concurrent', {
        detail: `A visitor can have at most ${maxStreams} streams. Close one of them first.`,
        retryAfterSeconds: 10,
      });
    }
    openStreams.set(visitor.id, streams + 1);
    const { raw } = reply;
    raw.once('close', () => this.#disconnected.resolve());
    const stop = () => raw.end();
    limits.drain.signal.addEventListener('abort', stop);
    const timeout = setTimeout(stop, seconds * 1_000);
    const timer = setInterval(() => this.#requestPoll(), pollMs);
    const stopListening = await this.#runtime.visitorNews.listen(visitor.id, (news) => this.#onNews(news));
    try {
      for (const { id } of await this.#latest()) this.#sentIds.add(id);
      this.#events.open();
      this.#requestPoll();
      if (raw.destroyed || limits.drain.signal.aborted) stop();
      else await this.#disconnected.promise;
    } finally {
      stopListening();
      clearInterval(timer);
      clearTimeout(timeout);
      limits.drain.signal.removeEventListener('abort', stop);
      const remaining = (openStreams.get(visitor.id) ?? 1) - 1;
      if (remaining > 0) openStreams.set(visitor.id, remaining);
      else openStreams.delete(visitor.id);
    }
  }

  #onNews(news: string | null): void {
    if (news === null || !news.startsWith(typingNews)) {
      this.#requestPoll();
      return;
    }
    // To a client that is too slow for messages this says nothing.
    if (!this.#events.opened || this.#isPolling) return;
    const sent = Promise.resolve(this.#send({ event: 'typing', name: news.slice(typingNews.length) }));
    runInBackground(sent, (err) => this.#options.request.log.warn({ err }, 'typing frame failed'));
  }

  /** Requests a poll. A request during a poll causes one more. */
  #requestPoll(): void {
    if (!this.#events.opened) return;
    this.#needsPoll = true;
    if (this.#isPolling) return;
    this.#isPolling = true;
    whenSettled(this.#poll(), () => {
      this.#isPolling = false;
    });
  }

  async #poll(): Promise<void> {
    while (this.#needsPoll) {
      this.#needsPoll = false;
      await this.#sendChanges().catch((err: unknown) => {
        this.#options.request.log.warn({ err }, 'visitor event polling failed');
      });
    }
  }

  async #sendChanges(): Promise<void> {
    const { database, clock, visitors } = this.#runtime;
    const { reply, session } = this.#options;
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
    const state = await loadVisitorState(database.kysely, this.#options.visitor, clock.now());
    const serialised = JSON.stringify(state);
    // The unread count also changes without a new message, when the visitor reads one.
    if (serialised === this.#state && news.length === 0) return;
    this.#state = serialised;
    await this.#send({ event: 'state', ...state });
  }

  async #latest() {
    const { visitor } = this.#options;
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
