import type { ActionOffer } from '../../contract/answer-writer.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** What a model asks for, by its own account: neither name nor arguments are checked. */
export interface ToolCall {
  readonly name: string;
  readonly given: unknown;
}

export interface ChatRequest {
  /** A system message first, then turns of user and assistant, the last one the user's. */
  readonly messages: readonly ChatMessage[];
  /** 0 to 1; null takes what suits answers from passages. */
  readonly temperature: number | null;
  /** Whether anybody reads along: if not, the answer may come in one piece. */
  readonly streamed: boolean;
  readonly tools?: readonly ActionOffer[] | undefined;
  /** Closes the connection. */
  readonly signal: AbortSignal;
}

/** The next piece of what a model writes. */
export interface ModelPiece {
  readonly text: string;
  /** What the provider counted since the piece before, question and answer together; 0 where it tells nothing. */
  readonly tokensUsed: number;
  /** What the model asks for. In an answer that is streamed their arguments may not be whole. */
  readonly toolCalls?: readonly ToolCall[];
}

/** A language model of some provider. What goes wrong is thrown as the provider's library throws it. */
export interface ChatModel {
  /** `provider:model`. */
  readonly name: string;
  write(request: ChatRequest): AsyncIterable<ModelPiece>;
}

/** The most tokens a model may write for one answer: about 700 words. */
export const ANSWER_TOKENS = 1_024;

/** About so many characters are a token, in any language that models are good at. */
const CHARACTERS_PER_TOKEN = 4;

/** How many tokens so many characters are, where nobody has counted them. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
