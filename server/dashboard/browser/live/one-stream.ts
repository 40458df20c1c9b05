import { type LiveFrame, readStream, type StreamEnd } from './frames.ts';
import { type LineEvent, type LiveState, nextState } from './line.ts';

interface OneStreamOptions {
  readonly workspace: string;
  /** Handles a frame in every tab. `isLeader` is true in the tab that holds the stream. */
  readonly onFrame: (frame: LiveFrame, isLeader: boolean) => void;
  readonly onState: (state: LiveState) => void;
  /** Resolves with true if the server answers other requests. It leaves the page if the session has ended. */
  readonly isReachable: () => Promise<boolean>;
}

/** A message from one tab of a browser to the others. */
type Message =
  /** `to` names one tab; absent: all of them. */
  | { readonly kind: 'frame'; readonly frame: LiveFrame; readonly to?: string }
  | { readonly kind: 'state'; readonly state: LiveState; readonly to?: string }
  /** A new tab asks for the state and who is present. */
  | { readonly kind: 'ask'; readonly from: string }
  /** A visible tab waits, because browsers slow the timers of hidden tabs, of which one may hold the lock. */
  | { readonly kind: 'hurry' };

const firstPauseMs = 500;
/** Without a stream the page asks for changes at this interval anyway: a stream that is tried as often costs little more. */
const maxPauseMs = 10_000;
/**
 * The time after which a server that does not answer counts as unreachable: a lost connection keeps a request waiting
 * for minutes.
 */
const reachMs = 4_000;
/** The time after which a lost stream no longer counts as live. */
const backMs = 3_000;
/** The tab that reads the stream passes on a frame every ten seconds at least. */
const passedMs = 20_000;
/** The time after which a silent stream counts as held back by a proxy. */
const helloMs = 10_000;
/** The interval at which a visible tab asks a hidden one for the next attempt. */
const hurryMs = 2_000;
/** The pause before a stream is tried again after none got through. */
const pollingPauseMs = 60_000;
/**
 * A new password or second factor replaces the session: its frame arrives before the answer that sets the new cookie.
 */
const replacedMs = 1_000;

/**
 * One stream of a workspace for all tabs of a browser, because a browser opens six connections to a host at most. The tab
 * with the Web Lock reads the stream and passes the frames on. Pages without locks (plain http that is not localhost) read a
 * stream of their own while they are visible.
 */
export class OneStream {
  readonly #options: OneStreamOptions;
  readonly #stopped = new AbortController();
  readonly #channel: BroadcastChannel;
  /** Names this tab to the others. */
  readonly #id = String(Math.random());
  /** The greeting, and the last frame of each conversation with somebody present, for tabs that open later. */
  readonly #kept = new Map<string, LiveFrame>();
  #state: LiveState = 'connecting';
  #isLeader = false;
  #urging: ReturnType<typeof setInterval> | undefined;
  /** Wakes a pause between two attempts. */
  #hurry: () => void = () => {};
  /** Ends the attempt that runs. */
  #cut: () => void = () => {};
  #failures = 0;
  /** The time at which the tab that reads the stream last passed on a frame. */
  #passedAt = Number.POSITIVE_INFINITY;

  constructor(options: OneStreamOptions) {
    this.#options = options;
    this.#channel = new BroadcastChannel(`parley-live-${options.workspace}`);
  }

  start(): void {
    const { signal } = this.#stopped;
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#onMessage(data);
    const hurry = () => this.#hurry();
    addEventListener('offline', () => this.#onNetwork(false), { signal });
    addEventListener('online', () => this.#onNetwork(true), { signal });
    document.addEventListener('visibilitychange', hurry, { signal });
    if (!('locks' in navigator)) {
      void this.#readWhileVisible(signal);
      return;
    }
    this.#tell({ kind: 'ask', from: this.#id });
    this.#urging = setInterval(() => this.#urge(), hurryMs);
    navigator.locks
      .request(`parley-live-${this.#options.workspace}`, { signal }, async () => {
        this.#isLeader = true;
        await this.#lead(signal);
      })
      .catch(() => {
        // The stream was stopped while it waited for the lock.
      });
  }

  stop(): void {
    clearInterval(this.#urging);
    this.#stopped.abort();
    this.#hurry();
    this.#channel.close();
  }

  /** A stream that was open before may be dead without an error, so it is opened again. */
  #onNetwork(isOnline: boolean): void {
    if (!this.#isLeader) return;
    this.#failures = 0;
    if (!isOnline) this.#step({ kind: 'offline' });
    this.#cut();
    if (isOnline) this.#hurry();
  }

  #onMessage(message: Message): void {
    if (this.#isLeader) {
      if (message.kind === 'hurry') this.#hurry();
      if (message.kind !== 'ask') return;
      const to = message.from;
      for (const frame of this.#kept.values()) this.#tell({ kind: 'frame', frame, to });
      this.#tell({ kind: 'state', state: this.#state, to });
      return;
    }
    if (message.kind !== 'state' && message.kind !== 'frame') return;
    if (message.to !== undefined && message.to !== this.#id) return;
    this.#passedAt = performance.now();
    if (message.kind === 'state') this.#setState(message.state);
    else {
      this.#options.onFrame(message.frame, false);
      this.#hear(message.frame);
    }
  }

  #hear(frame: LiveFrame): void {
    if ('news_age_seconds' in frame) this.#step({ kind: 'frame', ageSeconds: frame.news_age_seconds });
  }

  #urge(): void {
    if (this.#isLeader || document.visibilityState !== 'visible') return;
    if (performance.now() - this.#passedAt > passedMs) this.#step({ kind: 'silence' });
    if (this.#state === 'reconnecting' || this.#state === 'offline') this.#tell({ kind: 'hurry' });
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.#failures = 0;
    while (!signal.aborted) {
      const began = performance.now();
      const { hasGreeted, isSignedOut, status } = await this.#readOnce(signal);
      if (signal.aborted) return;
      // A stream that has lasted is not a failure: the server restarts, or an hour has passed.
      this.#failures = hasGreeted && performance.now() - began > firstPauseMs ? 0 : this.#failures + 1;
      if (isSignedOut) {
        await this.#pause(replacedMs);
        if (signal.aborted) return;
        this.#pass({ event: 'signed_out' });
      }
      await this.#afterEnd(status, signal);
    }
  }

  async #readOnce(
    signal: AbortSignal,
  ): Promise<StreamEnd & { readonly hasGreeted: boolean; readonly isSignedOut: boolean }> {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener('abort', stop);
    this.#cut = stop;
    const timer = setTimeout(stop, helloMs);
    const late = setTimeout(() => this.#step({ kind: 'silence' }), backMs);
    let hasGreeted = false;
    let isSignedOut = false;
    const end = await readStream({
      workspace: this.#options.workspace,
      signal: attempt.signal,
      onSilence: () => this.#step({ kind: 'silence' }),
      onFrame: (frame) => {
        clearTimeout(timer);
        clearTimeout(late);
        hasGreeted = true;
        if (frame.event === 'signed_out') {
          isSignedOut = true;
          return;
        }
        // The frame comes first, because it makes all queries stale; the state follows.
        this.#pass(frame);
        this.#hear(frame);
      },
    });
    clearTimeout(timer);
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
    return { ...end, hasGreeted, isSignedOut };
  }

  async #afterEnd(status: number, signal: AbortSignal): Promise<void> {
    this.#kept.clear();
    let isHurried = false;
    this.#hurry = () => {
      isHurried = true;
    };
    const isReachable = await this.#isReachable();
    if (signal.aborted) return;
    const isRefused = status > 0 && status < 500;
    const isOnline = navigator.onLine;
    this.#step({ kind: 'ended', isOnline, isReachable, isRefused, failures: this.#failures });
    if (isHurried) return;
    const pauseMs =
      this.#state === 'polling' ? pollingPauseMs : Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures);
    // The delay is random, so that the tabs of many people do not reconnect at the same moment.
    await this.#pause(pauseMs * (0.75 + Math.random() / 2));
  }

  async #isReachable(): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), reachMs);
    });
    const isReachable = await Promise.race([this.#options.isReachable(), timeout]);
    clearTimeout(timer);
    return isReachable;
  }

  async #readWhileVisible(signal: AbortSignal): Promise<void> {
    this.#isLeader = true;
    while (!signal.aborted) {
      if (document.visibilityState !== 'visible') {
        await this.#pause(maxPauseMs);
        continue;
      }
      const visit = new AbortController();
      const leave = () => {
        if (document.visibilityState !== 'visible' || signal.aborted) visit.abort();
      };
      document.addEventListener('visibilitychange', leave);
      signal.addEventListener('abort', leave);
      await this.#lead(visit.signal);
      document.removeEventListener('visibilitychange', leave);
      signal.removeEventListener('abort', leave);
    }
  }

  #pass(frame: LiveFrame): void {
    if (frame.event === 'hello') {
      this.#kept.clear();
      this.#kept.set('hello', frame);
    } else if (frame.event === 'presence') {
      if (frame.people.length > 0) this.#kept.set(frame.id, frame);
      else this.#kept.delete(frame.id);
    }
    this.#tell({ kind: 'frame', frame });
    this.#options.onFrame(frame, true);
  }

  #step(event: LineEvent): void {
    this.#setState(nextState(this.#state, event));
  }

  #setState(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    if (this.#isLeader) this.#tell({ kind: 'state', state });
    this.#options.onState(state);
  }

  /** Without locks each tab has a stream of its own and sends the others nothing. */
  #tell(message: Message): void {
    if ('locks' in navigator && !this.#stopped.signal.aborted) this.#channel.postMessage(message);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
