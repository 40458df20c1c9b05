import { type Kysely, sql } from 'kysely';
import { runInBackground, whenSettled, withTimeout } from '../../base/async.ts';
import { type Clock, runAfter, type Wait } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { DatabasePool } from '../database.ts';
import type { Tables } from '../tables/tables.ts';
import { NotificationListener } from './notification-listener.ts';

interface Dependencies {
  readonly database: { readonly kysely: Kysely<Tables>; readonly pool: DatabasePool };
  readonly clock: Clock;
  readonly wait: Wait;
  readonly log: Pick<Logger, 'warn'>;
  readonly processId: string;
}

/** Receives the payload after the key, or null if notifications may have been missed. */
type Notify = (news: string | null) => void;

/** Milliseconds for which a channel stays open without subscribers. */
const LINGER_MS = 30_000;
/** Interval of the heartbeats that this process sends itself through the database. */
const HEARTBEAT_MS = 10_000;
/** A channel without a heartbeat for so long brings nothing: its connection is opened anew. */
const SILENCE_MS = 25_000;
/** How long a new subscription waits for its first heartbeat, which proves that notifications arrive. */
const FIRST_HEARTBEAT_MS = 1_000;

/** One channel of the database that this process listens to. */
interface Channel {
  readonly name: string;
  readonly subscribed: Map<string, Set<Notify>>;
  /** Resolves when it was opened. Undefined while nobody listens. */
  opened: Promise<void> | undefined;
  openedAt: number;
  /** When the last heartbeat arrived; null before the first. */
  heardAt: number | null;
  heard: PromiseWithResolvers<void>;
  /** Cancels the closing of a channel without subscribers. */
  stay: () => void;
}

/**
 * Notifications of the database for this process: one connection for all channels. A connection can stop to bring
 * notifications without an error, so each process sends itself a heartbeat on each channel that it listens to. A connection
 * whose heartbeat does not arrive is opened anew, and all subscribers are told that they may have missed something.
 */
export class NotificationHub {
  readonly #dependencies: Dependencies;
  readonly #listener: NotificationListener;
  readonly #channels = new Map<string, Channel>();
  readonly #heartbeat: string;
  #watching: AbortController | undefined;
  #isBeating = false;
  #isClosed = false;

  constructor(dependencies: Dependencies) {
    const { database, wait, log, processId } = dependencies;
    this.#dependencies = dependencies;
    this.#heartbeat = `heartbeat-${processId}`;
    this.#listener = new NotificationListener({
      ...{ pool: database.pool, wait, log },
      onPayload: (channel, payload) => this.#receive(channel, payload),
      onReopened: () =>
        runInBackground(this.#afterReopening(), (err) =>
          log.warn({ err }, 'telling of missed notifications failed'),
        ),
    });
  }

  /** The notifications of one channel, a plain identifier. */
  channel(name: string): Notifications {
    const channel: Channel = this.#channels.get(name) ?? {
      name,
      subscribed: new Map(),
      opened: undefined,
      openedAt: 0,
      heardAt: null,
      heard: Promise.withResolvers(),
      stay: () => {},
    };
    this.#channels.set(name, channel);
    return {
      listen: (key, notify) => this.#subscribe(channel, key, notify),
      ageSeconds: () => {
        const isHeard = this.#listener.isConnected && channel.heardAt !== null;
        return isHeard ? this.#age(channel) : null;
      },
    };
  }

  /** Seconds since the last heartbeat of each channel that is listened to, or since it was opened if none has arrived. */
  ages(): ReadonlyMap<string, number> {
    return new Map(this.#open().map((channel) => [channel.name, this.#age(channel)]));
  }

  close(): void {
    this.#isClosed = true;
    this.#watching?.abort();
    for (const { stay } of this.#channels.values()) stay();
    this.#listener.close();
  }

  async #subscribe(channel: Channel, key: string, notify: Notify): Promise<() => void> {
    channel.stay();
    const subscribed = channel.subscribed.get(key) ?? new Set();
    channel.subscribed.set(key, subscribed.add(notify));
    channel.opened ??= this.#openChannel(channel);
    await channel.opened;
    return () => {
      subscribed.delete(notify);
      if (subscribed.size === 0 && channel.subscribed.get(key) === subscribed) channel.subscribed.delete(key);
      if (channel.subscribed.size > 0 || this.#isClosed) return;
      channel.stay();
      channel.stay = runAfter(this.#dependencies.wait, LINGER_MS, () => this.#closeChannel(channel));
    };
  }

  async #openChannel(channel: Channel): Promise<void> {
    channel.openedAt = this.#now();
    channel.heardAt = null;
    channel.heard = Promise.withResolvers();
    await this.#listener.listen(channel.name);
    if (this.#watching === undefined && !this.#isClosed) {
      this.#watching = new AbortController();
      this.#watch(this.#watching.signal);
    }
    this.#beat([channel.name]);
    await withTimeout(FIRST_HEARTBEAT_MS, channel.heard.promise);
  }

  #closeChannel(channel: Channel): void {
    if (channel.subscribed.size > 0) return;
    channel.opened = undefined;
    this.#listener.unlisten(channel.name);
    if (this.#open().length > 0) return;
    this.#watching?.abort();
    this.#watching = undefined;
  }

  #receive(name: string, payload: string): void {
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    const end = payload.indexOf(' ');
    const key = end === -1 ? payload : payload.slice(0, end);
    const news = end === -1 ? '' : payload.slice(end + 1);
    if (key === this.#heartbeat) {
      channel.heardAt = this.#now();
      channel.heard.resolve();
    } else for (const notify of [...(channel.subscribed.get(key) ?? [])]) notify(news);
  }

  /** Sends heartbeats while a channel is open, and opens the connection anew if they do not arrive. */
  #watch(signal: AbortSignal): void {
    const { log, wait } = this.#dependencies;
    const next = wait(this.#untilNext(), signal).then(() => {
      if (this.#open().some((channel) => this.#silentMs(channel) >= SILENCE_MS)) this.#reopen();
      else if (!this.#isBeating) {
        this.#isBeating = true;
        this.#beat(
          this.#open().map(({ name }) => name),
          () => {
            this.#isBeating = false;
          },
        );
      }
      this.#watch(signal);
    });
    runInBackground(next, (err) => {
      if (!signal.aborted) log.warn({ err }, 'watching the notifications failed');
    });
  }

  #untilNext(): number {
    const left = this.#open().map((channel) => SILENCE_MS - this.#silentMs(channel));
    return Math.max(0, Math.min(HEARTBEAT_MS, ...left));
  }

  #reopen(): void {
    // The next connection has as long to bring its first one.
    for (const channel of this.#open()) channel.openedAt = this.#now();
    this.#listener.reopen();
  }

  async #afterReopening(): Promise<void> {
    const open = this.#open();
    for (const channel of open) channel.heard = Promise.withResolvers();
    this.#beat(open.map(({ name }) => name));
    // Subscribers tell their clients how old the last heartbeat is, so it comes first.
    await withTimeout(FIRST_HEARTBEAT_MS, Promise.all(open.map(({ heard }) => heard.promise)));
    for (const { subscribed } of open) {
      for (const notified of [...subscribed.values()]) for (const notify of [...notified]) notify(null);
    }
  }

  #beat(channels: readonly string[], onEnd: () => void = () => {}): void {
    const { database, log } = this.#dependencies;
    const sent = sql`
      select pg_notify(channel, ${this.#heartbeat}) from unnest(${[...channels]}::text[]) as channel
    `.execute(database.kysely);
    runInBackground(sent, (err) => log.warn({ err }, 'notification heartbeat failed'));
    whenSettled(sent, onEnd);
  }

  #open(): readonly Channel[] {
    return [...this.#channels.values()].filter(({ opened }) => opened !== undefined);
  }

  #silentMs({ heardAt, openedAt }: Channel): number {
    return this.#now() - Math.max(heardAt ?? 0, openedAt);
  }

  #age({ heardAt, openedAt }: Channel): number {
    return Math.max(0, Math.floor((this.#now() - (heardAt ?? openedAt)) / 1_000));
  }

  #now(): number {
    return this.#dependencies.clock.now().getTime();
  }
}

/**
 * Notifies subscribers of a key across processes. The first word of a payload is the key. The event itself must be looked
 * up.
 */
export interface Notifications {
  /**
   * Subscribes to a key. `notify` is called from when the promise resolves until the returned function is called. The
   * channel is closed half a minute after its last subscriber has left.
   */
  listen(key: string, notify: Notify): Promise<() => void>;
  /** Whole seconds since the last heartbeat of the channel. Null if it is not known to bring notifications. */
  ageSeconds(): number | null;
}
