import { NoticeBoard } from '../storage/notice-board.ts';

/** Somebody who waits for what is kept under a key. */
export interface Ring {
  /** Resolves when it rings, also if it rang since the last time; after so long without; and when `signal` is aborted. */
  next(patienceMs: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

type Dependencies = Omit<ConstructorParameters<typeof NoticeBoard>[0], 'channel'>;

/** Rings in this process when a process, whichever, has stored something that is to be collected. */
export class CollectionBell {
  readonly #board: NoticeBoard;

  constructor(dependencies: Dependencies) {
    this.#board = new NoticeBoard({ ...dependencies, channel: 'collectable' });
  }

  /** Resolves when nothing is missed any more. */
  async ring(channelId: string, key: string): Promise<Ring> {
    let isRung = false;
    let wake = () => {};
    const end = await this.#board.listen(`${channelId} ${key}`, () => {
      isRung = true;
      wake();
    });
    return {
      next: (patienceMs, signal) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => wake(), patienceMs);
          const aborted = () => wake();
          wake = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', aborted);
            isRung = false;
            resolve();
          };
          signal.addEventListener('abort', aborted);
          if (isRung || signal.aborted) wake();
        }),
      end,
    };
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}
