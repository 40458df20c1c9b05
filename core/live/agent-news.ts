import { type Kysely, sql } from 'kysely';
import { runInBackground } from '../base/async.ts';
import { runAfter, type Wait } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Notifications } from '../storage/notifications/notifications.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A change in a workspace, without its contents. */
export interface AgentNotice {
  /** `conversation`, `document`, `channel`, `webhook`, `setting`, `presence`, `typing`, `access`, `mention` or `draft`. */
  readonly kind: string;
  /** The id of what changed. */
  readonly id: string;
  readonly change: string;
}

/** Receives a notice, or null if some may have been missed. */
type OnNotice = (notice: AgentNotice | null) => void;

interface Dependencies {
  readonly database: { readonly kysely: Kysely<Tables> };
  /** Those of the channel `agent_news`. */
  readonly notifications: Notifications;
  readonly wait: Wait;
  readonly log: Pick<Logger, 'warn'>;
  readonly processId: string;
}

interface ListenRequest {
  readonly workspaceId: string;
  /** Null for the operator, whose access no notice changes. */
  readonly personId: string | null;
}

/** A workspace with listeners in this process. */
interface Watched {
  readonly listeners: Set<OnNotice>;
  /** Resolves when the other processes know. */
  readonly announced: Promise<void>;
  /** Cancels the end, which is scheduled while nobody listens. */
  stay: () => void;
}

/** The seconds for which other processes notify this one, unless it refreshes its rows. */
const LISTENS_SECONDS = 60;
const REFRESH_MS = 20_000;
/**
 * The milliseconds for which a process stays announced without listeners, because a page that is reloaded comes back.
 */
const LINGER_MS = 30_000;
/**
 * A transaction that looked for listeners before the first one came notifies nobody, and may commit afterwards. This
 * is the number of milliseconds until its change counts as missed.
 */
const SETTLE_MS = 2_000;

/**
 * Notices about changes in workspaces, from all processes. While nobody listens, this process has no connection for
 * them, and a change costs only a look at an empty index.
 */
export class AgentNews {
  readonly #dependencies: Dependencies;
  readonly #watched = new Map<string, Watched>();
  #refresh: NodeJS.Timeout | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Listens to a workspace. `onNotice` is called from when the promise resolves until the returned function is called. */
  async listen({ workspaceId, personId }: ListenRequest, onNotice: OnNotice): Promise<() => void> {
    const receive = (news: string | null) => onNotice(news === null ? null : parseNotice(news));
    const { notifications, wait } = this.#dependencies;
    const unlisten = [await notifications.listen(workspaceId, receive)];
    if (personId !== null) unlisten.push(await notifications.listen(personId, receive));
    const known = this.#watched.get(workspaceId);
    const watched = known ?? this.#watch(workspaceId);
    watched.stay();
    watched.listeners.add(onNotice);
    const forgetSettling = known === undefined ? runAfter(wait, SETTLE_MS, () => onNotice(null)) : () => {};
    const leave = () => {
      forgetSettling();
      for (const stop of unlisten.splice(0)) stop();
      watched.listeners.delete(onNotice);
      if (watched.listeners.size > 0) return;
      watched.stay();
      watched.stay = runAfter(wait, LINGER_MS, () => this.#unwatch(workspaceId, watched));
    };
    try {
      await watched.announced;
    } catch (error) {
      leave();
      this.#unwatch(workspaceId, watched);
      throw error;
    }
    this.#refresh ??= setInterval(() => this.#announceAgain(), REFRESH_MS).unref();
    return leave;
  }

  /** Whole seconds since notices were last proven to arrive; null if they may not arrive. */
  ageSeconds(): number | null {
    return this.#dependencies.notifications.ageSeconds();
  }

  /** Notifies all listeners of the workspace, in every process. It costs nothing if nobody listens. */
  async tell(workspaceId: string, { kind, id, change }: AgentNotice): Promise<void> {
    const { kysely } = this.#dependencies.database;
    await sql`select tell_agents(${workspaceId}, ${kind}, ${id}, ${change})`.execute(kysely);
  }

  async close(): Promise<void> {
    clearInterval(this.#refresh);
    for (const { stay } of this.#watched.values()) stay();
    const { database, processId } = this.#dependencies;
    if (this.#watched.size > 0) {
      await database.kysely.deleteFrom('agent_listener').where('process_id', '=', processId).execute();
    }
  }

  /** Stores that this process listens to the workspaces. */
  async #announce(workspaceIds: readonly string[]): Promise<void> {
    const { database, processId } = this.#dependencies;
    // The lock is needed because a workspace may be deleted meanwhile. Its order is fixed, so that two processes
    // never wait for each other.
    await sql`
      insert into agent_listener (workspace_id, process_id, until)
      select id, ${processId}, now() + make_interval(secs => ${LISTENS_SECONDS})
      from (select id from workspace where id = any (${workspaceIds}) order by id for key share) existing
      on conflict (workspace_id, process_id) do update set until = excluded.until
    `.execute(database.kysely);
  }

  #announceAgain(): void {
    const { database, log } = this.#dependencies;
    const expired = sql`delete from agent_listener where until < now() - interval '1 minute'`;
    const work = this.#announce([...this.#watched.keys()]).then(() => expired.execute(database.kysely));
    runInBackground(work, (err) => log.warn({ err }, 'announcing listeners failed'));
  }

  #watch(workspaceId: string): Watched {
    const announced = this.#announce([workspaceId]);
    const watched: Watched = { listeners: new Set(), announced, stay: () => {} };
    this.#watched.set(workspaceId, watched);
    return watched;
  }

  #unwatch(workspaceId: string, watched: Watched): void {
    const { database, log, processId } = this.#dependencies;
    watched.stay();
    if (this.#watched.get(workspaceId) !== watched) return;
    this.#watched.delete(workspaceId);
    if (this.#watched.size === 0) {
      clearInterval(this.#refresh);
      this.#refresh = undefined;
    }
    const gone = database.kysely
      .deleteFrom('agent_listener')
      .where('workspace_id', '=', workspaceId)
      .where('process_id', '=', processId)
      .execute()
      // A listener may have come meanwhile.
      .then(() => (this.#watched.has(workspaceId) ? this.#announce([workspaceId]) : undefined));
    runInBackground(gone, (err) => log.warn({ err }, 'removing a listener failed'));
  }
}

/** A notice is a kind, an id and a change, with spaces between them; the change may contain spaces. */
function parseNotice(news: string): AgentNotice {
  const [kind = '', id = ''] = news.split(' ', 2);
  return { kind, id, change: news.slice(kind.length + id.length + 2) };
}
