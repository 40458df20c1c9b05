import type { Message, News, State } from '../types.ts';
import { type Api, ApiError, readFrames } from './api.ts';

interface LiveUpdateHandlers {
  readonly message: (message: Message) => void;
  readonly state: (state: State) => void;
  /** The agent with this name writes. */
  readonly typing: (name: string) => void;
  /** The stream is open, or was refused. Earlier messages are not in it. */
  readonly back: () => void;
}

/** The server sends a sign of life every ten seconds. */
const silenceMs = 20_000;
const maxPauseMs = 30_000;
const refusals = [401, 403, 404];

/** Receives messages of agents while started. It reconnects after a lost connection. */
export class LiveUpdates {
  readonly #api: Api;
  readonly #handlers: LiveUpdateHandlers;
  #listening: AbortController | null = null;
  /** Ends the open stream, or the pause before the next one. */
  #reopen: () => void = () => {};

  constructor(api: Api, handlers: LiveUpdateHandlers) {
    this.#api = api;
    this.#handlers = handlers;
  }

  start(): void {
    if (this.#listening !== null) return;
    const listening = new AbortController();
    this.#listening = listening;
    // An open stream may be dead without an error.
    addEventListener('online', () => this.#reopen(), { signal: listening.signal });
    void this.#run(listening.signal);
  }

  stop(): void {
    this.#listening?.abort();
    this.#listening = null;
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      if (failures > 0) await this.#pause(Math.min(maxPauseMs, 500 * 2 ** failures));
      if (signal.aborted) return;
      const end = await this.#readEvents(signal);
      if (end === 'refused') return this.#stopAfterRefusal(signal);
      if (end === 'lost') failures = 0;
    }
  }

  /** Lets a later `start` connect again. */
  #stopAfterRefusal(signal: AbortSignal): void {
    if (this.#listening?.signal === signal) this.#listening = null;
    this.#handlers.back();
  }

  /** Reads events until the connection ends, and returns how it ended. */
  async #readEvents(signal: AbortSignal): Promise<'lost' | 'unreached' | 'refused'> {
    const connection = new AbortController();
    const disconnect = () => connection.abort();
    signal.addEventListener('abort', disconnect);
    this.#reopen = disconnect;
    let timer = setTimeout(disconnect, silenceMs);
    const onData = () => {
      clearTimeout(timer);
      timer = setTimeout(disconnect, silenceMs);
    };
    let end: 'lost' | 'unreached' = 'unreached';
    try {
      const response = await this.#api.news(connection.signal);
      end = 'lost';
      this.#handlers.back();
      for await (const news of readFrames<News>(response, onData)) {
        if (news.event === 'message') this.#handlers.message(news.message);
        else if (news.event === 'typing') this.#handlers.typing(news.name);
        else if (news.event === 'state') this.#handlers.state(news);
      }
    } catch (error) {
      // The connection was lost or aborted, unless the session has ended or the channel is disabled.
      if (error instanceof ApiError && refusals.includes(error.status)) return 'refused';
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', disconnect);
    }
    return end;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, ms);
      this.#reopen = resolve;
    });
  }
}
