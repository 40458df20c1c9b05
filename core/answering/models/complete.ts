import type { ActionOffer } from '../../contract/answer-writer.ts';
import type { Logger } from '../../log.ts';
import type { ChatMessage, ChatModel, ModelPiece, ToolCall } from './chat-model.ts';
import { failOver, withTimeouts } from './fail-over.ts';
import type { ModelPool } from './model-pool.ts';
import { ProviderFailure } from './provider-failure.ts';

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ActionOffer[];
  /** The model that the workspace prefers, as `provider:model`; null means the installation's default. */
  readonly model: string | null;
  /** The time limit for each model in milliseconds. The default suits a text that an answer waits for. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

export interface Completion {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Tokens billed by the provider; 0 if it does not report them. */
  readonly tokensUsed: number;
}

interface CompleteOptions {
  readonly pool: ModelPool;
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
  return async ({ messages, tools, model: first, timeoutMs = defaultMs, signal }) => {
    let completion: Completion = { text: '', toolCalls: [], tokensUsed: 0 };
    const attempt = (model: ChatModel) =>
      requireContent(
        { mayBeEmpty: tools !== undefined },
        withTimeouts(
          (connection) =>
            model.write({ messages, tools, temperature: null, streamed: false, signal: connection }),
          { signal, patience: { firstMs: timeoutMs, nextMs: timeoutMs } },
        ),
      );
    const models = () => pool.inOrder(first);
    for await (const piece of failOver(models, { attempt, isShown: () => false, log })) {
      completion = {
        text: completion.text + piece.text,
        toolCalls: [...completion.toolCalls, ...(piece.toolCalls ?? [])],
        tokensUsed: completion.tokensUsed + piece.tokensUsed,
      };
    }
    return completion;
  };
}

/** An empty text is valid if the model may call tools and calls none. */
async function* requireContent(
  { mayBeEmpty }: { readonly mayBeEmpty: boolean },
  pieces: AsyncIterable<ModelPiece>,
): AsyncGenerator<ModelPiece> {
  let isEmpty = true;
  for await (const piece of pieces) {
    isEmpty &&= piece.text === '' && (piece.toolCalls ?? []).length === 0;
    yield piece;
  }
  if (isEmpty && !mayBeEmpty) throw new ProviderFailure('failed', { cause: 'the answer is empty' });
}
