import { waitUntilAborted } from '../../async.ts';
import { followSignal } from '../../contract/abort-signal.ts';
import { explainFailure } from './explain-failure.ts';
import { ProviderFailure } from './provider-failure.ts';

export interface Patience {
  /** Until the first piece. */
  readonly firstMs: number;
  /** From one piece to the next. */
  readonly nextMs: number;
}

/**
 * The pieces of a stream, as long as they keep coming: throws a ProviderFailure `timeout` when one takes too long, what else
 * goes wrong with it as a ProviderFailure, and the reason of `signal`. The stream's own signal is aborted then, and whenever
 * the reader stops: nothing stays open behind it.
 */
export async function* withPatience<Piece>(
  start: (signal: AbortSignal) => AsyncIterable<Piece>,
  { signal, patience }: { readonly signal: AbortSignal; readonly patience: Patience },
): AsyncGenerator<Piece> {
  const { controller: connection, leave } = followSignal(signal);
  const wait = waitUntilAborted(connection.signal);
  const pieces = start(connection.signal)[Symbol.asyncIterator]();
  // A reader who is slow to take what came is not the provider's fault.
  let waiting = true;
  let first = true;
  const expire = () => {
    if (!waiting) return;
    const cause = first
      ? `nothing came for ${patience.firstMs / 1_000} s`
      : `nothing more came for ${patience.nextMs / 1_000} s`;
    connection.abort(new ProviderFailure('timeout', { cause }));
  };
  let timer = setTimeout(expire, patience.firstMs);
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await wait(pieces.next()).catch((error: unknown) => {
        signal.throwIfAborted();
        throw explainFailure(error);
      });
      if (done) {
        ended = true;
        return;
      }
      if (first) {
        clearTimeout(timer);
        timer = setTimeout(expire, patience.nextMs);
        first = false;
      }
      waiting = false;
      yield value;
      waiting = true;
      timer.refresh();
    }
  } finally {
    clearTimeout(timer);
    leave();
    if (!ended) {
      connection.abort(new ProviderFailure('failed'));
      // It was given up: how it ends is nobody's matter.
      void Promise.allSettled([pieces.return?.()]);
    }
  }
}
