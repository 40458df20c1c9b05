import type { Message, News, State } from '../types.ts';
import { type Api, ApiError, readFrames } from './api.ts';

interface LiveUpdateHandlers {
  readonly message: (message: Message) => void;
  readonly state: (state: State) => void;
  /** The stream is open: messages from before it are not in it. */
  readonly back: () => void;
}

/** The server says that it is there every ten seconds. */
const silenceMs = 35_000;
const longestPauseMs = 30_000;
const refusals = [401, 403, 404];

/** Hears what people say, as long as it is wanted; a lost connection is opened again. */
export class LiveUpdates {
  readonly #api: Api;
  readonly #ears: LiveUpdateHandlers;
  #listening: AbortController | null = null;

  constructor(api: Api, ears: LiveUpdateHandlers) {
    this.#api = api;
    this.#ears = ears;
  }

  start(): void {
    if (this.#listening !== null) return;
    const listening = new AbortController();
    this.#listening = listening;
    void this.#keepOn(listening.signal);
  }

  stop(): void {
    this.#listening?.abort();
    this.#listening = null;
  }

  async #keepOn(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      if (failures > 0) await pause(Math.min(longestPauseMs, 500 * 2 ** failures));
      if (signal.aborted) return;
      const end = await this.#hear(signal);
      if (end === 'refused') return this.#giveUp(signal);
      if (end === 'lost') failures = 0;
    }
  }

  /** Whoever wants to listen later begins anew. */
  #giveUp(signal: AbortSignal): void {
    if (this.#listening?.signal === signal) this.#listening = null;
    this.#ears.back();
  }

  /** Until the connection ends: how. */
  async #hear(signal: AbortSignal): Promise<'lost' | 'unreached' | 'refused'> {
    const connection = new AbortController();
    const hangUp = () => connection.abort();
    signal.addEventListener('abort', hangUp);
    let timer = setTimeout(hangUp, silenceMs);
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(hangUp, silenceMs);
    };
    let end: 'lost' | 'unreached' = 'unreached';
    try {
      const response = await this.#api.news(connection.signal);
      end = 'lost';
      this.#ears.back();
      for await (const news of readFrames<News>(response, heard)) {
        if (news.event === 'message') this.#ears.message(news.message);
        else this.#ears.state(news);
      }
    } catch (error) {
      // Lost or not wanted any more, unless the session is over or the chat was switched off.
      if (error instanceof ApiError && refusals.includes(error.status)) return 'refused';
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', hangUp);
    }
    return end;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
