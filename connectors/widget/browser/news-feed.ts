import type { Api } from './api.ts';
import { readFrames } from './read-frames.ts';
import type { Message, News, State } from './types.ts';

interface Ears {
  readonly message: (message: Message) => void;
  readonly state: (state: State) => void;
  /** Something may have been missed. */
  readonly back: () => void;
}

/** The server says that it is there every ten seconds. */
const silenceMs = 35_000;
const longestPauseMs = 30_000;

/** Hears what people say, as long as it is wanted; a lost connection is opened again. */
export class NewsFeed {
  readonly #api: Api;
  readonly #ears: Ears;
  #listening: AbortController | null = null;

  constructor(api: Api, ears: Ears) {
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
      const wasHeard = await this.#hear(signal, failures > 0).catch(() => false);
      if (wasHeard) failures = 0;
    }
  }

  /** Until the connection ends: whether there was one. */
  async #hear(signal: AbortSignal, isBack: boolean): Promise<boolean> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), silenceMs);
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
    };
    let isOpen = false;
    try {
      const response = await this.#api.news(AbortSignal.any([signal, silence.signal]));
      isOpen = true;
      if (isBack) this.#ears.back();
      for await (const news of readFrames<News>(response, heard)) {
        if (news.event === 'message') this.#ears.message(news.message);
        else this.#ears.state(news);
      }
    } catch {
      // Lost, or not wanted any more: who keeps on knows which.
    } finally {
      clearTimeout(timer);
    }
    return isOpen;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
