import { type LiveFrame, readStream, type StreamEnd } from './frames.ts';

/**
 * How the dashboard learns of changes: `live` by a stream, `polling` where no stream comes through, `reconnecting` while the
 * server does not answer.
 */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'polling';

interface OneStreamOptions {
  readonly workspace: string;
  /** Called in every tab. `isLeader` is true in the tab that holds the stream. */
  readonly onFrame: (frame: LiveFrame, isLeader: boolean) => void;
  readonly onState: (state: LiveState) => void;
  /** Resolves with true if the server answers other requests. Leaves the page if the session has ended. */
  readonly isReachable: () => Promise<boolean>;
}

/** A message from one tab of a browser to the others. */
type Message =
  /** `to` names one tab; absent: all of them. */
  | { readonly kind: 'frame'; readonly frame: LiveFrame; readonly to?: string }
  | { readonly kind: 'state'; readonly state: LiveState; readonly to?: string }
  /** A new tab asks for the state and who is present. */
  | { readonly kind: 'ask'; readonly from: string }
  /** A visible tab waits. Browsers slow the timers of hidden tabs, of which one may hold the lock. */
  | { readonly kind: 'hurry' };

const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** Failures in a row, while the server answers other requests, after which a proxy is taken to hold streams back. */
const maxFailures = 3;
/** A stream that brings nothing for so long is held back by a proxy. */
const helloMs = 10_000;
/** How often a visible tab asks a hidden one for the next attempt. */
const hurryMs = 2_000;
/** Pause before a stream is tried again where none came through. */
const pollingPauseMs = 60_000;
/** A new password or second factor replaces the session: its frame arrives before the answer that sets the new cookie. */
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
  /** The greeting, and the last frame of each conversation with somebody present: for tabs that come later. */
  readonly #kept = new Map<string, LiveFrame>();
  #state: LiveState = 'connecting';
  #isLeader = false;
  #urging: ReturnType<typeof setInterval> | undefined;
  /** Wakes a pause between two attempts. */
  #hurry: () => void = () => {};

  constructor(options: OneStreamOptions) {
    this.#options = options;
    this.#channel = new BroadcastChannel(`parley-live-${options.workspace}`);
  }

  start(): void {
    const { signal } = this.#stopped;
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#onMessage(data);
    const hurry = () => this.#hurry();
    addEventListener('online', hurry, { signal });
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
        // Stopped while it waited for the lock.
      });
  }

  stop(): void {
    clearInterval(this.#urging);
    this.#stopped.abort();
    this.#hurry();
    this.#channel.close();
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
    if (message.kind === 'frame') this.#options.onFrame(message.frame, false);
    else {
      this.#state = message.state;
      this.#options.onState(message.state);
    }
  }

  #urge(): void {
    const waits = !this.#isLeader && this.#state === 'reconnecting';
    if (waits && document.visibilityState === 'visible') this.#tell({ kind: 'hurry' });
  }

  async #lead(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const began = performance.now();
      const { hasGreeted, isSignedOut, status } = await this.#readOnce(signal);
      if (signal.aborted) return;
      // A stream that lasted is not a failure: the server restarts, or an hour is over.
      failures = hasGreeted && performance.now() - began > firstPauseMs ? 0 : failures + 1;
      if (isSignedOut) {
        await this.#pause(replacedMs);
        if (signal.aborted) return;
        this.#pass({ event: 'signed_out' });
      }
      await this.#afterEnd({ failures, status }, signal);
    }
  }

  async #readOnce(
    signal: AbortSignal,
  ): Promise<StreamEnd & { readonly hasGreeted: boolean; readonly isSignedOut: boolean }> {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener('abort', stop);
    const timer = setTimeout(stop, helloMs);
    let hasGreeted = false;
    let isSignedOut = false;
    const end = await readStream({
      workspace: this.#options.workspace,
      signal: attempt.signal,
      onFrame: (frame) => {
        clearTimeout(timer);
        hasGreeted = true;
        if (frame.event === 'signed_out') {
          isSignedOut = true;
          return;
        }
        // First the frame, which makes everything be read again, then the state.
        this.#pass(frame);
        if (frame.event === 'hello') this.#setState('live');
      },
    });
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    return { ...end, hasGreeted, isSignedOut };
  }

  async #afterEnd(
    { failures, status }: StreamEnd & { readonly failures: number },
    signal: AbortSignal,
  ): Promise<void> {
    this.#kept.clear();
    const isReachable = await this.#options.isReachable();
    if (signal.aborted) return;
    const isRefused = (status > 0 && status < 500) || failures >= maxFailures;
    const isHeldBack = isReachable && isRefused;
    if (isHeldBack) this.#setState('polling');
    // A server that restarts is back before anybody reads the line.
    else if (!isReachable || failures > 0) this.#setState('reconnecting');
    const pauseMs = isHeldBack ? pollingPauseMs : Math.min(maxPauseMs, firstPauseMs * 2 ** failures);
    // Tabs of many people do not come back at the same moment.
    await this.#pause(pauseMs * (0.75 + Math.random() / 2));
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

  #setState(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#tell({ kind: 'state', state });
    this.#options.onState(state);
  }

  /** Without locks each tab has a stream of its own and tells the others nothing. */
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
