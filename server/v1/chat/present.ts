import type { AskResult } from '../../../core/answering/ask.ts';
import type { AppError } from '../../../core/base/errors.ts';
import { presentOpenAiError } from '../../plugins/openai-errors.ts';
import type { AnswerFrames } from '../query/answer-stream.ts';
import { presentSource } from '../query/present.ts';
import { type ChatChunk, type ChatCompletion, chatModel } from './schema.ts';

/** Returns an answer as a chat completion. Pure. */
export function presentCompletion(result: AskResult, created: Date): ChatCompletion {
  return {
    id: result.messageId,
    object: 'chat.completion',
    created: seconds(created),
    model: chatModel,
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        logprobs: null,
        message: {
          role: 'assistant',
          content: result.answer.text,
          refusal: null,
          annotations: presentAnnotations(result),
        },
      },
    ],
    usage: presentUsage(result),
    parley: presentGrounds(result),
  };
}

interface ChunkOptions {
  /** The id of all chunks. The answer has its own only once it is stored. */
  readonly id: string;
  readonly created: Date;
  readonly hasUsage: boolean;
}

type Choice = ChatChunk['choices'][number];

/** The chunks of one streamed answer. */
export class ChatFrames implements AnswerFrames {
  readonly #options: ChunkOptions;
  #begun = false;

  constructor(options: ChunkOptions) {
    this.#options = options;
  }

  /** The first stage begins the message. Clients know no stages. */
  stage(): ChatChunk | null {
    if (this.#begun) return null;
    this.#begun = true;
    return this.#chunk({ role: 'assistant', content: '' });
  }

  token(content: string): ChatChunk {
    return this.#chunk({ content });
  }

  /** The last chunks: how the answer ended and what it rests on, and the usage if it was asked for. */
  last(result: AskResult): readonly ChatChunk[] {
    const annotations = presentAnnotations(result);
    const delta = annotations.length > 0 ? { annotations } : {};
    const end = { ...this.#chunk(delta, 'stop'), parley: presentGrounds(result) };
    if (!this.#options.hasUsage) return [end];
    return [end, { ...this.#chunk({}), choices: [], usage: presentUsage(result) }];
  }

  failure(error: AppError, requestId: string): object {
    return { ...presentOpenAiError(error), code: error.code, request_id: requestId };
  }

  #chunk(delta: Choice['delta'], finishReason: Choice['finish_reason'] = null): ChatChunk {
    const { id, created, hasUsage } = this.#options;
    return {
      ...{ id, object: 'chat.completion.chunk', created: seconds(created), model: chatModel },
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(hasUsage && { usage: null }),
    };
  }
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

function presentUsage({ answer }: AskResult): ChatCompletion['usage'] {
  return { prompt_tokens: answer.tokensUsed, completion_tokens: 0, total_tokens: answer.tokensUsed };
}

function presentGrounds({ answer, conversationId, messageId }: AskResult): ChatCompletion['parley'] {
  return {
    conversation_id: conversationId,
    message_id: messageId,
    confidence: answer.confidence,
    sources: answer.sources.map(presentSource),
    skills_fired: [...answer.skillsFired],
  };
}

/** Sources without an address cannot be cited in this dialect. */
function presentAnnotations({
  answer,
}: AskResult): ChatCompletion['choices'][number]['message']['annotations'] {
  const byChunk = new Map(answer.sources.map((source) => [source.chunkId, source] as const));
  return answer.citations.flatMap(({ start, end, chunkIds }) =>
    chunkIds.flatMap((chunkId) => {
      const source = byChunk.get(chunkId);
      if (source === undefined || source.url === null) return [];
      const place = { start_index: start, end_index: end, title: source.title, url: source.url };
      return [{ type: 'url_citation' as const, url_citation: place }];
    }),
  );
}
