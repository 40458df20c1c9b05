import { rejectOnAbort } from '../../async.ts';
import { linkSignal } from '../../contract/abort-signal.ts';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { Interruption } from '../answer.ts';
import type { ChatModel } from './chat-model.ts';
import type { PooledModel } from './model-pool.ts';
import { ProviderFailure, toProviderFailure, toPublicError } from './provider-failure.ts';

interface FailOverOptions<Piece> {
  /**
   * Throws ProviderFailures for what a provider does wrong. `isLast`: no other model is left to ask, so there is no
   * reason to give this one up before the request itself ends.
   */
  readonly attempt: (model: ChatModel, place: { readonly isLast: boolean }) => AsyncIterable<Piece>;
  /** Whether the reader has seen something when this piece was handed on: then no other model can begin again. */
  readonly isShown: (piece: Piece) => boolean;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * What the first model that answers writes. Throws `model_provider_error`, `upstream_timeout` or `provider_down` when
 * none does, and `model_provider_error` when one breaks off after something was shown.
 */
export async function* failOver<Piece>(
  inOrder: () => Promise<readonly PooledModel[]>,
  { attempt, isShown, log }: FailOverOptions<Piece>,
): AsyncGenerator<Piece> {
  const models = await inOrder();
  const failures: ProviderFailure[] = [];
  for (const [index, pooled] of models.entries()) {
    const { model, breaker } = pooled;
    if (!breaker.admit()) continue;
    const isLast = models.slice(index + 1).every((later) => later.breaker.pauseMs > 0);
    let shown = false;
    let settled = false;
    try {
      for await (const piece of attempt(model, { isLast })) {
        shown ||= isShown(piece);
        yield piece;
      }
      breaker.succeeded();
      settled = true;
      return;
    } catch (error) {
      if (isDeadline(error) && !shown) {
        // The request ended before the model said a word: its next callers need not wait as long.
        breaker.failed(new ProviderFailure('timeout', { cause: error }));
        settled = true;
      }
      if (!(error instanceof ProviderFailure)) throw error;
      breaker.failed(error);
      settled = true;
      logFailure(log, pooled, error);
      if (shown) throw new AppError('model_provider_error', { cause: error });
      failures.push(error);
    } finally {
      // The reader went away: that says nothing about the provider.
      if (!settled) breaker.abandoned();
    }
  }
  const pauses = models.map(({ breaker }) => breaker.pauseMs);
  throw toPublicError(failures, { models: models.length, pauseMs: Math.min(...pauses) });
}

/** Whether the request was given up because it took too long, as a whole or as a stream. */
function isDeadline(error: unknown): boolean {
  if (error instanceof Interruption) return error.ended === 'timeout';
  return error instanceof AppError && error.code === 'request_timeout';
}

function logFailure(
  log: FailOverOptions<never>['log'],
  { model, apiKey }: PooledModel,
  failure: ProviderFailure,
): void {
  const facts = { model: model.name, failure: failure.kind, reason: safeReason(failure, apiKey) };
  if (failure.kind === 'misconfigured') {
    log.error(
      facts,
      'A language model does not accept our key, or does not exist: check LLM_MODELS and its key.',
    );
  } else log.warn(facts, 'A language model did not answer.');
}

const LONGEST_REASON = 300;

/** Some providers repeat the key that they refuse. */
function safeReason({ cause }: ProviderFailure, apiKey: string): string {
  const reason = cause instanceof Error ? cause.message : String(cause ?? '');
  const safe = apiKey === '' ? reason : reason.replaceAll(apiKey, '[redacted]');
  return safe.slice(0, LONGEST_REASON).split('\n', 1).join('');
}

export interface StreamTimeouts {
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
export async function* withTimeouts<Piece>(
  start: (signal: AbortSignal) => AsyncIterable<Piece>,
  { signal, patience }: { readonly signal: AbortSignal; readonly patience: StreamTimeouts },
): AsyncGenerator<Piece> {
  const { controller: connection, leave } = linkSignal(signal);
  const wait = rejectOnAbort(connection.signal);
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
        throw toProviderFailure(error);
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
