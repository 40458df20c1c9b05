import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
} from '@langchain/core/messages';
import { RunnableBinding } from '@langchain/core/runnables';
import { LRUCache } from 'lru-cache';
import type { ActionOffer } from '../../contract/answer-writer.ts';
import type { ChatMessage, ChatModel, ModelPiece, ToolCall } from './chat-model.ts';
import { readField } from './provider-failure.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** A model of LangChain's for one temperature; null leaves it to the provider's library. */
export type MakeModel = (temperature: number) => BaseChatModel;

export type ModelMaker = (model: string, settings: ProviderSettings) => MakeModel;

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
    write({ messages, temperature, streamed, tools = [], signal }) {
      const model = modelFor(temperature ?? DEFAULT_TEMPERATURE);
      const asked = messages.map(toLangChainMessage);
      const options = { ...withTools(model, tools), signal };
      return streamed ? inPieces(model, asked, options) : inOnePiece(model, asked, options);
    },
  };
}

type Options = BaseChatModel['ParsedCallOptions'];

/** How this provider's library wants to be told of tools. */
function withTools(model: BaseChatModel, tools: readonly ActionOffer[]): object {
  if (tools.length === 0) return {};
  const bound = model.bindTools?.(tools.map((tool) => ({ type: 'function', function: tool })));
  return bound instanceof RunnableBinding ? { ...bound.config, ...bound.kwargs } : {};
}

async function* inPieces(
  model: BaseChatModel,
  messages: BaseMessage[],
  options: Options,
): AsyncGenerator<ModelPiece> {
  for await (const { text, message } of model._streamResponseChunks(messages, options)) {
    yield { text, tokensUsed: readUsage(message), toolCalls: parseToolCalls(message) };
  }
}

async function* inOnePiece(
  model: BaseChatModel,
  messages: BaseMessage[],
  options: Options,
): AsyncGenerator<ModelPiece> {
  const { generations } = await model._generate(messages, options);
  for (const { text, message } of generations) {
    yield { text, tokensUsed: readUsage(message), toolCalls: parseToolCalls(message) };
  }
}

const NO_CALLS: readonly ToolCall[] = [];

/** Calls whose arguments are no JSON are told too, without arguments: what is missing can be asked for. */
function parseToolCalls(message: BaseMessage): readonly ToolCall[] {
  if (AIMessageChunk.isInstance(message)) {
    const begun = message.tool_call_chunks ?? [];
    return begun.length === 0 ? NO_CALLS : begun.map(({ name }) => ({ name: name ?? '', given: {} }));
  }
  if (!AIMessage.isInstance(message)) return NO_CALLS;
  const { tool_calls: whole = [], invalid_tool_calls: broken = [] } = message;
  if (whole.length + broken.length === 0) return NO_CALLS;
  return [
    ...whole.map(({ name, args }) => ({ name, given: args })),
    ...broken.map(({ name }) => ({ name: name ?? '', given: {} })),
  ];
}

function readUsage(message: BaseMessage): number {
  const usage = readField(message, 'usage_metadata');
  return readCount(usage, 'input_tokens') + readCount(usage, 'output_tokens');
}

function readCount(usage: unknown, name: string): number {
  const count = readField(usage, name);
  return typeof count === 'number' && Number.isFinite(count) ? Math.max(0, Math.trunc(count)) : 0;
}

function toLangChainMessage({ role, text }: ChatMessage): BaseMessage {
  if (role === 'system') return new SystemMessage(text);
  return role === 'user' ? new HumanMessage(text) : new AIMessage(text);
}
