import { rejectOnAbort } from '../base/async.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { linkSignal } from '../contract/abort-signal.ts';
import { Interruption } from '../contract/answer.ts';
import type { ObserveAttempt } from '../contract/trace/answer-trace.ts';
import type { ChatModel } from './chat-model.ts';
import type { PooledModel } from './model-pool.ts';
import { ProviderFailure, safeReason, toProviderFailure, toPublicError } from './provider-failure.ts';

/** A piece with the tokens that it adds, and those of them that the request had. */
interface Billed {
  readonly tokensUsed?: number;
  readonly inputTokens?: number;
}

interface AttemptPlace {
  /** No other model is left, so the attempt need not end before the request itself does. */
  readonly isLast: boolean;
  /** How many models failed before. */
  readonly failed: number;
}

interface FailOverOptions<Piece> {
  /** Runs one model. Throws `ProviderFailure`s for faults of the provider. */
  readonly attempt: (model: ChatModel, place: AttemptPlace) => AsyncIterable<Piece>;
  /** Whether the reader has seen part of the answer with this piece. In that case another model cannot start over. */
  readonly isShown: (piece: Piece) => boolean;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly observe?: ObserveAttempt | undefined;
}

/**
 * Yields the output of the first model that answers. Throws `model_provider_error`, `upstream_timeout` or `provider_down`
 * if none does, and `model_provider_error` if one fails after part of its answer was shown.
 */
export async function* failOver<Piece extends Billed>(
  inOrder: () => Promise<readonly PooledModel[]>,
  { attempt, isShown, log, observe = ignoreAttempt }: FailOverOptions<Piece>,
): AsyncGenerator<Piece> {
  const models = await inOrder();
  const failures: ProviderFailure[] = [];
  for (const [index, pooled] of models.entries()) {
    const { model, breaker } = pooled;
    if (!mayCall(pooled, observe)) continue;
    const observed = observe(model.name);
    const isLast = models.slice(index + 1).every((later) => later.breaker.pauseMs > 0);
    let shown = false;
    let settled = false;
    let tokens = 0;
    let input = 0;
    try {
      for await (const piece of attempt(model, { isLast, failed: failures.length })) {
        shown ||= isShown(piece);
        tokens += tokensOf(piece);
        input += inputTokensOf(piece);
        yield piece;
      }
      breaker.succeeded();
      observed('ok', tokens, input);
      settled = true;
      return;
    } catch (error) {
      if (isDeadline(error) && !shown) {
        // The request ended before the model produced output. Pausing it spares later requests the same wait.
        const failure = new ProviderFailure('timeout', { cause: error });
        breaker.failed(failure);
        observed('timeout', tokens, input);
        settled = true;
        logFailure(log, pooled, failure);
      }
      if (!(error instanceof ProviderFailure)) throw error;
      breaker.failed(error);
      observed(error.kind, tokens, input);
      settled = true;
      logFailure(log, pooled, error);
      if (shown) throw new AppError('model_provider_error', { cause: error });
      failures.push(error);
    } finally {
      // The reader disconnected, which says nothing about the provider.
      if (!settled) {
        breaker.abandoned();
        observed('cancelled', tokens, input);
      }
    }
  }
  const pauses = models.map(({ breaker }) => breaker.pauseMs);
  throw toPublicError(failures, { models: models.length, pauseMs: Math.min(...pauses) });
}

/** Whether a model may be called; it pauses after a failure. */
function mayCall({ model, breaker }: PooledModel, observe: ObserveAttempt): boolean {
  const isAdmitted = breaker.admit();
  if (!isAdmitted) observe(model.name)('paused', 0, 0);
  return isAdmitted;
}

const tokensOf = ({ tokensUsed = 0 }: Billed): number => tokensUsed;
const inputTokensOf = ({ inputTokens = 0 }: Billed): number => inputTokens;

/** It serves callers that do not want to know. */
const ignoreAttempt: ObserveAttempt = () => () => undefined;

/** Whether the request exceeded its own time limit, as a whole or as a stream. */
function isDeadline(error: unknown): boolean {
  if (error instanceof Interruption) return error.ended === 'timeout';
  return error instanceof AppError && error.code === 'request_timeout';
}

function logFailure(
  log: FailOverOptions<never>['log'],
  { model, apiKey, ownerId }: PooledModel,
  failure: ProviderFailure,
): void {
  const facts = { model: model.name, failure: failure.kind, reason: safeReason(failure, apiKey) };
  // Only the owner can mend their key, and the dashboard tells them to.
  if (ownerId !== null) log.warn({ ...facts, owner: ownerId }, 'model call failed with the key of an owner');
  else if (failure.kind === 'misconfigured') {
    log.error(facts, 'model misconfigured: check LLM_MODELS and its API key');
  } else log.warn(facts, 'model call failed');
}

export interface StreamTimeouts {
  /** The maximum wait for the first piece, in milliseconds. */
  readonly firstMs: number;
  /** The maximum wait between two pieces, in milliseconds. */
  readonly nextMs: number;
}

/**
 * Yields the pieces of a stream and enforces its time limits. Throws a `ProviderFailure` of kind `timeout` if a piece
 * takes too long, any other fault as a `ProviderFailure`, and the reason of `signal` if that aborts. In these cases, and
 * when the reader stops, the stream's own signal aborts, so that no connection stays open.
 */
export async function* withTimeouts<Piece>(
  start: (signal: AbortSignal) => AsyncIterable<Piece>,
  { signal, patience }: { readonly signal: AbortSignal; readonly patience: StreamTimeouts },
): AsyncGenerator<Piece> {
  const { controller: connection, leave } = linkSignal(signal);
  const wait = rejectOnAbort(connection.signal);
  const pieces = start(connection.signal)[Symbol.asyncIterator]();
  // The time that the reader takes to process a piece does not count against the provider.
  let waiting = true;
  let first = true;
  const expire = () => {
    if (!waiting) return;
    const cause = first
      ? `no output for ${patience.firstMs / 1_000} s`
      : `no further output for ${patience.nextMs / 1_000} s`;
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
      // The stream was abandoned, so its outcome is ignored.
      void Promise.allSettled([pieces.return?.()]);
    }
  }
}
