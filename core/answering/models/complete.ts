import type { ActionOffer } from '../../contract/answer-writer.ts';
import type { Logger } from '../../log.ts';
import type { ChatMessage, ChatModel, ModelPiece, ToolCall } from './chat-model.ts';
import { failOver, withTimeouts } from './fail-over.ts';
import type { ModelPool } from './model-pool.ts';
import { ProviderFailure } from './provider-failure.ts';

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ActionOffer[];
  /** A workspace's first choice, `provider:model`; null takes the installation's. */
  readonly model: string | null;
  /** How long each model may take; what suits a text that an answer waits for, when absent. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

export interface Completion {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** As the provider counted; 0 where it tells nothing. */
  readonly tokensUsed: number;
}

interface CompleteOptions {
  readonly pool: ModelPool;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** How long each model may take, unless a request says otherwise. */
  readonly timeoutMs: number;
}

export type Complete = (request: CompletionRequest) => Promise<Completion>;

/**
 * Asks the models in turn for a short text that nobody reads along. Throws `model_provider_error`, `upstream_timeout`
 * or `provider_down` where none answers, and the signal's reason.
 */
export function createComplete({ pool, log, timeoutMs: usual }: CompleteOptions): Complete {
  return async ({ messages, tools, model: first, timeoutMs = usual, signal }) => {
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

/** Who is asked for a call and sees no reason for one may say nothing. */
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
