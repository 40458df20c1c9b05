import type { ActionOffer } from '../contract/answer-writer.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
  /** A picture beside the text, as a data URL. */
  readonly image?: string | undefined;
}

/** A tool call that a model requests. Neither the name nor the arguments are validated. */
export interface ToolCall {
  readonly name: string;
  readonly given: unknown;
}

export interface ChatRequest {
  /** A system message first, then alternating user and assistant messages; the last one is the user's. */
  readonly messages: readonly ChatMessage[];
  /** 0 to 1; null means a value suited to answers from passages. */
  readonly temperature: number | null;
  /** Whether a client reads the answer as it is generated. If false, it may come in one piece. */
  readonly streamed: boolean;
  readonly tools?: readonly ActionOffer[] | undefined;
  /** Aborting it closes the connection. */
  readonly signal: AbortSignal;
}

/** The next piece of a model's output. */
export interface ModelPiece {
  readonly text: string;
  /** Tokens billed since the previous piece, input and output together; 0 if the provider does not report them. */
  readonly tokensUsed: number;
  /** Those of `tokensUsed` that the request had; absent or 0 if the provider does not report them. */
  readonly inputTokens?: number;
  /** Requested tool calls. In a streamed answer their arguments may be incomplete. */
  readonly toolCalls?: readonly ToolCall[];
  /** Whether the provider sent thoughts, which it keeps apart from the text. */
  readonly reasoned?: boolean;
}

/** A language model of a provider. Errors are thrown as the provider's library throws them. */
export interface ChatModel {
  /** `provider:model`. */
  readonly name: string;
  /** Whether it is known to think before it answers, which may take minutes. */
  readonly thinks: boolean;
  write(request: ChatRequest): AsyncIterable<ModelPiece>;
}

/** The maximum number of output tokens for one answer: about 700 words. */
export const ANSWER_TOKENS = 1_024;

/** The approximate number of characters in one token, in the languages that models support well. */
const CHARACTERS_PER_TOKEN = 4;

/** Estimates the number of tokens in a text, for providers that do not report it. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
