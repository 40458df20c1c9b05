import { type Clock, runAfter, type Wait } from '../../base/clock.ts';
import { createLogThrottle, type Logger } from '../../base/log.ts';
import { linkSignal } from '../../contract/abort-signal.ts';
import type { PairReader } from '../embedding/embedder.ts';
import type { PairReading, ReadingPair } from '../embedding/thread-messages.ts';
import { type Candidate, passageHead } from '../passage.ts';
import { passageUnits } from '../passage-units.ts';
import { searchRules } from '../rules.ts';

type ReadablePassage = Pick<Candidate, 'title' | 'headings' | 'body'>;

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Passages that are not read by then stay unread. */
  readonly deadlineMs: number;
}

/** Reads a question together with the passages found for it. See `model/README.md`. */
export interface PassageReader {
  /**
   * Returns the reading of each passage, in order; null for those that were not read, because they are too many, the
   * deadline passed or the engine failed. Rejects only with the reason of `signal`.
   */
  read(
    question: string,
    passages: readonly ReadablePassage[],
    options: ReadOptions,
  ): Promise<readonly (PairReading | null)[]>;
}

interface PassageReaderOptions {
  readonly pairs: PairReader;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly log: Pick<Logger, 'warn'>;
}

/** Opens a reader in the threads of the embedding model. A thread loads the reader's model when it has a pair to read. */
export function openPassageReader({ pairs, clock, wait, log }: PassageReaderOptions): PassageReader {
  const isNews = createLogThrottle(clock);
  return {
    async read(question, passages, { signal, deadlineMs }) {
      const most = pairs.isBusy() ? searchRules.readerPassagesUnderLoad : searchRules.readerPassages;
      const readings: (PairReading | null)[] = passages.map(() => null);
      const { controller, leave } = linkSignal(signal);
      const late = new DOMException('The deadline passed.', 'TimeoutError');
      const cancel = runAfter(wait, deadlineMs, () => controller.abort(late));
      try {
        await pairs.read(
          passages.slice(0, most).map((passage) => toPair(question, passage)),
          (index, reading) => {
            readings[index] = reading;
          },
          { signal: controller.signal },
        );
      } catch (error) {
        signal?.throwIfAborted();
        if (error !== late && isNews('reading'))
          log.warn({ err: error }, 'passages not read, keeping own order');
      } finally {
        cancel();
        leave();
      }
      return readings;
    },
  };
}

function toPair(question: string, { title, headings, body }: ReadablePassage): ReadingPair {
  return {
    question,
    head: passageHead(title ?? '', headings),
    units: passageUnits(body).map(({ words }) => words.text),
  };
}
