import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { runInBackground, whenSettled } from '../../../core/base/async.ts';
import { AppError } from '../../../core/base/errors.ts';
import type { AgentNotice } from '../../../core/live/agent-news.ts';
import { type PresentPerson, presentPersonSchema } from '../../../core/live/presence.ts';
import type { Permission } from '../../../core/members/authority.ts';
import { findSessionProof, limitToSession } from '../../../core/members/sessions.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import type { Drain } from '../../drain.ts';
import { EventStream, eventStreamResponse, newsAgeSchema } from '../../event-stream.ts';
import { type Actor, callerPermissions, needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

/** The limits of agents' streams, and the build of the browser app. */
export interface LiveOptions {
  readonly drain: Drain;
  readonly keepAliveMs: number;
  /** Seconds after which a stream ends. */
  readonly longestSeconds: number;
  /** The main script of the dashboard; null until it is built. */
  readonly build: () => string | null;
}

const draftChangeSchema = z.enum(['new', 'changed', 'gone']);

const frameSchema = z
  .union([
    z
      .object({
        event: z.literal('hello'),
        version: z.string().nullable(),
        at: z.iso.datetime(),
        news_age_seconds: newsAgeSchema,
      })
      .meta({
        id: 'HelloFrame',
        description:
          'The first frame, and one whenever changes may have been missed: read everything again. `version` changes with the dashboard.',
      }),
    z
      .object({ event: z.literal('alive'), news_age_seconds: newsAgeSchema })
      .meta({ id: 'AliveFrame', description: 'Every ten seconds.' }),
    z
      .object({
        event: z.enum(['conversation', 'document', 'channel', 'webhook']),
        id: z.string(),
        change: z.string().meta({ description: 'What changed, or the new status.' }),
      })
      .meta({ id: 'ChangeFrame' }),
    z
      .object({ event: z.literal('presence'), id: z.string(), people: z.array(presentPersonSchema) })
      .meta({ id: 'PresenceFrame', description: 'Everybody who has the conversation open now.' }),
    z
      .object({ event: z.literal('typing'), id: z.string() })
      .meta({ id: 'VisitorTypingFrame', description: 'The visitor writes. It holds for six seconds.' }),
    z
      .object({
        event: z.literal('mention'),
        id: z.string().meta({ description: 'The conversation, or - for several.' }),
      })
      .meta({ id: 'MentionFrame', description: "The caller's own mentions changed." }),
    z
      .object({
        event: z.literal('draft'),
        id: z.string().meta({ description: 'The conversation.' }),
        change: draftChangeSchema,
      })
      .meta({ id: 'DraftFrame', description: "One of the caller's own drafts changed, on any device." }),
    z.object({ event: z.literal('counts') }).meta({
      id: 'CountsFrame',
      description: 'The numbers of conversations changed. At most one a second.',
    }),
    z
      .object({
        event: z.literal('setting'),
        change: z.string().meta({ description: 'An action of the audit log.' }),
      })
      .meta({ id: 'SettingFrame' }),
    z
      .object({ event: z.literal('signed_out') })
      .meta({ id: 'SignedOutFrame', description: 'The last frame: the session or the role has ended.' }),
  ])
  .meta({ description: 'The JSON of one event.' });

type AgentFrame = z.output<typeof frameSchema>;

const maxSeconds = 3_600;

/** `GET …/events`: streams what changes in a workspace, as far as the caller may see it. */
export function getAgentEvents(app: TypedApp, runtime: Runtime, options: LiveOptions): void {
  const schema = {
    ...operatorRoute,
    summary: 'Stream what changes in a workspace',
    operationId: 'hearWorkspaceEvents',
    description:
      'Names what changed as server-sent events, without contents, and only what the caller may read. The stream ends if the client disconnects, the session ends or the server stops. Reconnect then, and read again what is shown.',
    params: workspaceParamsSchema,
    querystring: z.object({
      seconds: z.coerce.number().int().min(1).max(maxSeconds).catch(maxSeconds).default(maxSeconds).meta({
        description: 'The stream ends after this number of seconds.',
      }),
    }),
    response: {
      200: eventStreamResponse(frameSchema, 'Server-sent events.'),
      ...errorResponses('workspace_not_found', 'rate_limit_concurrent'),
    },
  };
  const streams = new OpenStreams();
  app.get('/events', { schema, ...needs('workspace:read') }, (request, reply) => {
    const actor = requestActor.get(request);
    const close = streams.open(actor.person?.id ?? actor.name);
    const stream = new AgentEventStream(runtime, {
      ...{ request, reply, actor, ...options },
      workspace: requestWorkspace.get(request),
      seconds: Math.min(request.query.seconds, options.longestSeconds),
    });
    return stream.run().finally(close);
  });
}

const MAX_STREAMS_PER_PERSON = 10;
const MAX_STREAMS = 2_000;

/** Counts the open streams of this server. */
class OpenStreams {
  readonly #counts = new Map<string, number>();
  #all = 0;

  /** Returns the function that releases the place. Throws `rate_limit_concurrent`. */
  open(key: string): () => void {
    const own = this.#counts.get(key) ?? 0;
    if (own >= MAX_STREAMS_PER_PERSON || this.#all >= MAX_STREAMS) {
      throw new AppError('rate_limit_concurrent', {
        detail: `A person can have ${MAX_STREAMS_PER_PERSON} streams, and a server ${MAX_STREAMS}. Close one of them first.`,
        retryAfterSeconds: 10,
      });
    }
    this.#counts.set(key, own + 1);
    this.#all += 1;
    return () => {
      this.#all -= 1;
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }
}

interface AgentStreamOptions extends LiveOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly actor: Actor;
  readonly workspace: Workspace;
  readonly seconds: number;
}

/** Sessions also expire, without a notice. */
const CHECK_MS = 30_000;
const COUNTS_MS = 1_000;
/** The number of frames that wait for a slow client. Beyond that, the client has to read everything again. */
const MAX_WAITING = 200;

/** Streams the changes of a workspace to one browser until it disconnects, its session ends or the server stops. */
class AgentEventStream {
  readonly #runtime: Runtime;
  readonly #options: AgentStreamOptions;
  readonly #events: EventStream;
  readonly #disconnected = Promise.withResolvers<void>();
  /** The frames by their content, so that the same change is sent once. */
  readonly #waiting = new Map<string, AgentFrame>();
  #permissions: readonly Permission[] = [];
  #isSending = false;
  #countsAt = Number.NEGATIVE_INFINITY;
  #counting: NodeJS.Timeout | undefined;
  #toldVersion: string | null = null;

  constructor(runtime: Runtime, options: AgentStreamOptions) {
    this.#runtime = runtime;
    this.#options = options;
    this.#events = new EventStream(options.reply, {
      keepAliveMs: options.keepAliveMs,
      signOfLife: () => ({ event: 'alive', ...this.#newsAge() }) satisfies AgentFrame,
    });
  }

  async run(): Promise<void> {
    const { reply, drain, seconds, actor, workspace } = this.#options;
    const { raw } = reply;
    raw.once('close', () => this.#disconnected.resolve());
    const stop = () => raw.end();
    const request = { workspaceId: workspace.id, personId: actor.person?.id ?? null };
    const stopListening = await this.#runtime.presence.listen(request, {
      onNotice: (notice) => this.#onNotice(notice),
      onPeople: (id, people) => this.#onPeople(id, people),
    });
    const timers = [setInterval(() => this.#checkInBackground(), CHECK_MS)];
    drain.signal.addEventListener('abort', stop);
    try {
      // The permissions are read after the subscription, so that no change of the role is missed.
      const permissions = await this.#findPermissions();
      if (permissions === null) throw new AppError('workspace_not_found');
      this.#permissions = permissions;
      this.#events.open();
      this.#greet();
      this.#noteInBackground();
      timers.push(setTimeout(stop, seconds * 1_000));
      if (raw.destroyed || drain.signal.aborted) stop();
      else await this.#disconnected.promise;
    } finally {
      stopListening();
      for (const timer of timers) clearTimeout(timer);
      clearTimeout(this.#counting);
      drain.signal.removeEventListener('abort', stop);
    }
  }

  /** The client reads everything again, so waiting frames contain nothing new. */
  #greet(): void {
    this.#waiting.clear();
    this.#toldVersion = this.#options.build();
    const at = this.#runtime.clock.now().toISOString();
    this.#send('hello', { event: 'hello', version: this.#toldVersion, at, ...this.#newsAge() });
    for (const [id, people] of this.#runtime.presence.people(this.#options.workspace.id)) {
      this.#onPeople(id, people);
    }
  }

  #newsAge() {
    return { news_age_seconds: this.#runtime.agentNews.ageSeconds() };
  }

  #onPeople(id: string, people: readonly PresentPerson[]): void {
    if (!this.#may('inbox:read')) return;
    this.#send(`presence ${id}`, { event: 'presence', id, people: [...people] });
  }

  #onNotice(notice: AgentNotice | null): void {
    if (!this.#events.opened) return;
    if (notice === null) {
      this.#greet();
      return;
    }
    const { kind, id, change } = notice;
    if (kind === 'access') this.#checkInBackground();
    else if (kind === 'setting') this.#onSetting(change);
    else if (kind === 'typing' && this.#may('inbox:read'))
      this.#send(`typing ${id}`, { event: 'typing', id });
    else if (kind === 'mention') this.#onMention({ id, change });
    else if (kind === 'draft') this.#onDraft({ id, change });
    else if (kind in topicPermissions) this.#onChange(kind, { id, change });
  }

  #onChange(kind: string, { id, change }: Pick<AgentNotice, 'id' | 'change'>): void {
    const topic = topicSchema.parse(kind);
    if (!this.#may(topicPermissions[topic])) return;
    this.#send(`${topic} ${id} ${change}`, { event: topic, id, change });
    if (topic === 'conversation') this.#count();
  }

  /** The notice reaches all streams of the person; `change` names the workspace. */
  #onMention({ id, change }: Pick<AgentNotice, 'id' | 'change'>): void {
    if (change !== this.#options.workspace.id || !this.#may('inbox:read')) return;
    this.#send(`mention ${id}`, { event: 'mention', id });
  }

  /** The notice reaches all streams of the person; `change` names the workspace first. */
  #onDraft({ id, change: news }: Pick<AgentNotice, 'id' | 'change'>): void {
    const [workspaceId, word] = news.split(' ', 2);
    if (workspaceId !== this.#options.workspace.id || !this.#may('inbox:read')) return;
    const change = draftChangeSchema.parse(word);
    this.#send(`draft ${id} ${change}`, { event: 'draft', id, change });
  }

  #onSetting(action: string): void {
    const permission = settingPermissions.get(action.slice(0, action.indexOf('_')));
    if (permission !== undefined && this.#may(permission)) {
      this.#send(`setting ${action}`, { event: 'setting', change: action });
    }
  }

  #count(): void {
    if (this.#counting !== undefined) return;
    const waitMs = Math.max(0, this.#countsAt + COUNTS_MS - performance.now());
    this.#counting = setTimeout(() => {
      this.#counting = undefined;
      this.#countsAt = performance.now();
      this.#send('counts', { event: 'counts' });
    }, waitMs);
  }

  #may(permission: Permission): boolean {
    return this.#permissions.includes(permission);
  }

  #send(key: string, frame: AgentFrame): void {
    if (!this.#events.opened) return;
    if (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(key)) {
      this.#greet();
      return;
    }
    this.#waiting.set(key, frame);
    if (this.#isSending) return;
    this.#isSending = true;
    whenSettled(this.#sendWaiting(), () => {
      this.#isSending = false;
    });
  }

  async #sendWaiting(): Promise<void> {
    // Notices of one transaction arrive together, so the same change is sent once.
    await Promise.resolve();
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [key, frame] = first;
      this.#waiting.delete(key);
      await this.#events.send(frame);
    }
  }

  #noteInBackground(): void {
    const { actor, workspace, request } = this.#options;
    if (actor.person === null) return;
    const noted = this.#runtime.agentPresence.note({ workspaceId: workspace.id, personId: actor.person.id });
    runInBackground(noted, (err) => request.log.warn({ err }, 'presence not noted'));
  }

  #checkInBackground(): void {
    runInBackground(this.#check(), (err) =>
      this.#options.request.log.warn({ err }, 'checking the access of a stream failed'),
    );
  }

  async #check(): Promise<void> {
    const permissions = await this.#findPermissions();
    if (permissions === null) {
      this.#permissions = [];
      this.#waiting.clear();
      this.#events.endNow({ event: 'signed_out' } satisfies AgentFrame);
      return;
    }
    this.#noteInBackground();
    const gained = permissions.some((permission) => !this.#permissions.includes(permission));
    this.#permissions = permissions;
    if (gained || this.#options.build() !== this.#toldVersion) this.#greet();
  }

  /** Null if the caller may not see the workspace, or no longer may. Reading it does not extend the session. */
  async #findPermissions(): Promise<readonly Permission[] | null> {
    const { members, workspaces, database, clock } = this.#runtime;
    const { actor, workspace } = this.#options;
    const exists = await workspaces.get(workspace.id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'workspace_not_found') return false;
        throw error;
      },
    );
    if (!exists) return null;
    if (actor.person === null || actor.sessionId === null) return callerPermissions(actor, workspace);
    const session = { personId: actor.person.id, id: actor.sessionId, now: clock.now() };
    const proof = await findSessionProof(database.kysely, session);
    const found = proof === null ? null : await members.findPerson(actor.person.id);
    if (proof === null || found === null) return null;
    const permissions = callerPermissions({ ...limitToSession(found, proof), key: null }, workspace);
    return permissions.includes('workspace:read') ? permissions : null;
  }
}

const topicSchema = z.enum(['conversation', 'document', 'channel', 'webhook']);

const topicPermissions: Readonly<Record<z.output<typeof topicSchema>, Permission>> = {
  conversation: 'inbox:read',
  document: 'knowledge:read',
  channel: 'channels:read',
  webhook: 'developers:read',
};

/**
 * The permission to read a setting, by the first word of an action of the audit log. Others have a topic of their
 * own, or nobody needs them at once.
 */
const settingPermissions: ReadonlyMap<string, Permission> = new Map([
  ['workspace', 'workspace:read'],
  ['change', 'knowledge:read'],
  ['snippet', 'workspace:read'],
  ['tag', 'workspace:read'],
  ['member', 'people:read'],
  ['invitation', 'people:read'],
  ['person', 'people:read'],
  ['key', 'developers:read'],
  ['webhook', 'developers:read'],
  ['skill', 'developers:read'],
  ['secret', 'developers:read'],
]);
