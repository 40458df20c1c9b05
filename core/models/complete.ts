import type { Logger } from '../base/log.ts';
import type { ActionOffer } from '../contract/answer-writer.ts';
import type { ObserveAttempt } from '../contract/trace/answer-trace.ts';
import type { ChatMessage, ChatModel, ModelPiece, ToolCall } from './chat-model.ts';
import { failOver, withTimeouts } from './fail-over.ts';
import type { ModelSource } from './model-pool.ts';
import { ProviderFailure } from './provider-failure.ts';

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ActionOffer[];
  /** The model that the workspace prefers, as `provider:model`; null means the installation's default. */
  readonly model: string | null;
  /** The time limit for each model in milliseconds. The default suits a text that an answer waits for. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  readonly observe?: ObserveAttempt | undefined;
}

export interface Completion {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Tokens billed by the provider; 0 if it does not report them. */
  readonly tokensUsed: number;
}

interface CompleteOptions {
  readonly pool: ModelSource;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** The default time limit for each model in milliseconds. */
  readonly timeoutMs: number;
}

export type Complete = (request: CompletionRequest) => Promise<Completion>;

/**
 * Returns a function that requests a short text, which is not streamed, from the models in turn. It throws
 * `model_provider_error`, `upstream_timeout` or `provider_down` if no model answers, and the signal's reason.
 */
export function createComplete({ pool, log, timeoutMs: defaultMs }: CompleteOptions): Complete {
  return async ({ messages, tools, model: first, timeoutMs = defaultMs, signal, observe }) => {
    let completion: Completion = { text: '', toolCalls: [], tokensUsed: 0 };
    const attempt = (model: ChatModel) =>
      inspect(
        { mayBeEmpty: tools !== undefined, model },
        withTimeouts(
          (connection) =>
            model.write({ messages, tools, temperature: null, streamed: false, signal: connection }),
          { signal, patience: { firstMs: timeoutMs, nextMs: timeoutMs } },
        ),
      );
    // A model that thinks is asked last, because it rarely completes a short text in time.
    const models = async () =>
      (await pool.inOrder(first)).toSorted((a, b) => Number(a.model.thinks) - Number(b.model.thinks));
    for await (const piece of failOver(models, { attempt, isShown: () => false, log, observe })) {
      completion = {
        text: completion.text + piece.text,
        toolCalls: [...completion.toolCalls, ...(piece.toolCalls ?? [])],
        tokensUsed: completion.tokensUsed + piece.tokensUsed,
      };
    }
    return completion;
  };
}

interface Expected {
  /** An empty text is valid if the model may call tools and calls none. */
  readonly mayBeEmpty: boolean;
  readonly model: ChatModel;
}

async function* inspect(
  { mayBeEmpty, model }: Expected,
  pieces: AsyncIterable<ModelPiece>,
): AsyncGenerator<ModelPiece> {
  let isEmpty = true;
  try {
    for await (const piece of pieces) {
      isEmpty &&= piece.text === '' && (piece.toolCalls ?? []).length === 0;
      yield piece;
    }
  } catch (error) {
    // A model that still thinks works, so it must not be paused for longer texts.
    const isThinking = model.thinks && error instanceof ProviderFailure && error.kind === 'timeout';
    throw isThinking
      ? new ProviderFailure('refused', { cause: 'it thinks for longer than this text may take' })
      : error;
  }
  if (isEmpty && !mayBeEmpty) throw new ProviderFailure('failed', { cause: 'the answer is empty' });
}
