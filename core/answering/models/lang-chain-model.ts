import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { LRUCache } from 'lru-cache';
import type { ChatMessage, ChatModel, ModelPiece } from './chat-model.ts';
import { fieldOf } from './field-of.ts';

/** A model of LangChain's for one temperature; null leaves it to the provider's library. */
export type MakeModel = (temperature: number) => BaseChatModel;

/** What suits answers from passages: the same question gets the same answer. */
const DEFAULT_TEMPERATURE = 0;
/** LangChain takes a temperature when a model is made. */
const REMEMBERED_TEMPERATURES = 16;

/**
 * One of LangChain's chat models. Its methods for providers are called rather than `stream` and `invoke`, which
 * wrap them in callbacks, tracing and merging that cost as much again as the request (0.7 of 1.7 ms a streamed answer).
 */
export function langChainModel(name: string, make: MakeModel): ChatModel {
  const models = new LRUCache<number, BaseChatModel>({ max: REMEMBERED_TEMPERATURES });
  const modelFor = (temperature: number) => {
    const rounded = Math.round(temperature * 100) / 100;
    const model = models.get(rounded) ?? make(rounded);
    models.set(rounded, model);
    return model;
  };
  return {
    name,
    write({ messages, temperature, streamed, signal }) {
      const model = modelFor(temperature ?? DEFAULT_TEMPERATURE);
      const asked = messages.map(messageOf);
      return streamed ? inPieces(model, asked, signal) : inOnePiece(model, asked, signal);
    },
  };
}

async function* inPieces(
  model: BaseChatModel,
  messages: BaseMessage[],
  signal: AbortSignal,
): AsyncGenerator<ModelPiece> {
  for await (const chunk of model._streamResponseChunks(messages, { signal })) {
    yield { text: chunk.text, tokensUsed: tokensOf(chunk.message) };
  }
}

async function* inOnePiece(
  model: BaseChatModel,
  messages: BaseMessage[],
  signal: AbortSignal,
): AsyncGenerator<ModelPiece> {
  const { generations } = await model._generate(messages, { signal });
  for (const { text, message } of generations) yield { text, tokensUsed: tokensOf(message) };
}

function tokensOf(message: BaseMessage): number {
  const usage = fieldOf(message, 'usage_metadata');
  return countOf(usage, 'input_tokens') + countOf(usage, 'output_tokens');
}

function countOf(usage: unknown, name: string): number {
  const count = fieldOf(usage, name);
  return typeof count === 'number' && Number.isFinite(count) ? Math.max(0, Math.trunc(count)) : 0;
}

function messageOf({ role, text }: ChatMessage): BaseMessage {
  if (role === 'system') return new SystemMessage(text);
  return role === 'user' ? new HumanMessage(text) : new AIMessage(text);
}
