import type { Logger } from '../base/log.ts';
import { withDeadline } from '../contract/abort-signal.ts';
import type { ModelPool, PooledModel } from './model-pool.ts';
import { ProviderFailure, safeReason, toProviderFailure } from './provider-failure.ts';

/** Local servers load a model at its first request, and some models think first. */
const CHECK_TIMEOUT_MS = 120_000;

/** The result of a short request to a model. */
export interface CheckedModel {
  /** `provider:model`. */
  readonly model: string;
  /** The variable that names it; `LLM_MODELS` if absent. */
  readonly variable?: 'TRANSCRIPTION_MODEL' | 'VISION_MODEL';
  /** Null if the model answered. */
  readonly failure: ProviderFailure | null;
}

export interface CheckOptions {
  readonly pool: ModelPool;
  readonly log: Pick<Logger, 'warn'>;
  readonly signal?: AbortSignal | undefined;
  /** Default: two minutes. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Sends a short request to each configured model, and logs those that do not answer it. The request also shows which fields
 * a server refuses and whether a model thinks, before a visitor waits for it. A failing model is paused as usual.
 */
export async function checkModels({
  pool,
  log,
  signal,
  timeoutMs = CHECK_TIMEOUT_MS,
}: CheckOptions): Promise<readonly CheckedModel[]> {
  const models = await pool.inOrder(null);
  return Promise.all(
    models.map(async (pooled) => {
      const failure = await checkModel(pooled, { timeoutMs, signal });
      const { name } = pooled.model;
      if (failure !== null) {
        const reason = safeReason(failure, pooled.apiKey);
        log.warn(
          { model: name, failure: failure.kind, reason, advice: adviceFor(failure) },
          'model check failed',
        );
      }
      return { model: name, failure };
    }),
  );
}

async function checkModel(
  { model, breaker }: PooledModel,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<ProviderFailure | null> {
  // A paused model is asked too: the operator wants to know whether it works now, and a success ends the pause.
  breaker.admit();
  try {
    await withDeadline({ timeoutMs, signal }, async (connection) => {
      const messages = [{ role: 'user', text: 'Reply with the word OK.' }] as const;
      let isEmpty = true;
      const pieces = model.write({ messages, temperature: null, streamed: false, signal: connection });
      for await (const { text } of pieces) isEmpty &&= text === '';
      if (isEmpty) throw new ProviderFailure('failed', { cause: 'the answer is empty' });
    });
    breaker.succeeded();
    return null;
  } catch (error) {
    if (signal?.aborted === true) {
      breaker.abandoned();
      return null;
    }
    const failure = toProviderFailure(error);
    breaker.failed(failure);
    return failure;
  }
}

const ADVICE: Readonly<Record<ProviderFailure['kind'], string>> = {
  misconfigured: "Check the provider's API key and address, and the name of the model in LLM_MODELS.",
  unreachable: "Check that the provider's server runs, and its address.",
  rate_limited: "Check the provider's rate limit and quota.",
  timeout: 'The model did not answer in time. Check the load of its server.',
  refused: 'The provider refuses a plain request. The reason says why.',
  failed: 'The provider failed. The reason says why; it may be temporary.',
};

/** Returns what an operator should do about a model that does not work, which `variable` names. */
export function adviceFor({ kind }: ProviderFailure, variable = 'LLM_MODELS'): string {
  return ADVICE[kind].replace('LLM_MODELS', variable);
}
