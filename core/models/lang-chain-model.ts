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
import type { ActionOffer } from '../contract/answer-writer.ts';
import {
  ANSWER_TOKENS,
  type ChatMessage,
  type ChatModel,
  type ModelPiece,
  type ToolCall,
} from './chat-model.ts';
import { readField } from './provider-failure.ts';
import { THINKING_TOKENS, type Thinking } from './thinking.ts';

/** LangChain takes these when a model is created. */
interface ModelParameters {
  readonly temperature: number;
  /** The maximum number of output tokens. */
  readonly maxTokens: number;
}

export type MakeModel = (parameters: ModelParameters) => BaseChatModel;

/** Makes answers reproducible: the same question gets the same answer. */
const DEFAULT_TEMPERATURE = 0;
/** The number of model instances kept, one for each temperature and limit. */
const MAX_INSTANCES = 16;

/**
 * Wraps a LangChain chat model. It calls the provider-specific methods instead of `stream` and `invoke`, because their
 * callbacks, tracing and merging cost 0.7 of the 1.7 ms of CPU time that a streamed answer takes.
 */
export function langChainModel(name: string, make: MakeModel, thinking: Thinking): ChatModel {
  const models = new LRUCache<string, BaseChatModel>({ max: MAX_INSTANCES });
  const modelFor = (given: number) => {
    const temperature = Math.round(given * 100) / 100;
    const maxTokens = thinking.thinks ? THINKING_TOKENS : ANSWER_TOKENS;
    const key = `${temperature} ${maxTokens}`;
    const model = models.get(key) ?? make({ temperature, maxTokens });
    models.set(key, model);
    return model;
  };
  return {
    name,
    get thinks() {
      return thinking.thinks;
    },
    write({ messages, temperature, streamed, tools = [], signal }) {
      const model = modelFor(temperature ?? DEFAULT_TEMPERATURE);
      const input = messages.map(toLangChainMessage);
      const options = { ...withTools(model, tools), signal };
      return streamed ? inPieces(model, input, options) : inOnePiece(model, input, options);
    },
  };
}

type Options = BaseChatModel['ParsedCallOptions'];

/** Returns the tools in the form that this provider's library expects. */
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
    yield toPiece(text, message);
  }
}

async function* inOnePiece(
  model: BaseChatModel,
  messages: BaseMessage[],
  options: Options,
): AsyncGenerator<ModelPiece> {
  const { generations } = await model._generate(messages, options);
  for (const { text, message } of generations) {
    yield toPiece(text, message);
  }
}

function toPiece(text: string, message: BaseMessage): ModelPiece {
  const thoughts = readField(message.additional_kwargs, 'reasoning_content');
  return {
    text,
    ...readUsage(message),
    toolCalls: parseToolCalls(message),
    ...(typeof thoughts === 'string' && thoughts !== '' && { reasoned: true }),
  };
}

const NO_CALLS: readonly ToolCall[] = [];

/**
 * Includes calls whose arguments are not valid JSON, without arguments: the skill asks the visitor for what is missing.
 */
function parseToolCalls(message: BaseMessage): readonly ToolCall[] {
  if (AIMessageChunk.isInstance(message)) {
    const chunks = message.tool_call_chunks ?? [];
    return chunks.length === 0 ? NO_CALLS : chunks.map(({ name }) => ({ name: name ?? '', given: {} }));
  }
  if (!AIMessage.isInstance(message)) return NO_CALLS;
  const { tool_calls: whole = [], invalid_tool_calls: broken = [] } = message;
  if (whole.length + broken.length === 0) return NO_CALLS;
  return [
    ...whole.map(({ name, args }) => ({ name, given: args })),
    ...broken.map(({ name }) => ({ name: name ?? '', given: {} })),
  ];
}

function readUsage(message: BaseMessage): Pick<ModelPiece, 'tokensUsed' | 'inputTokens'> {
  const usage = readField(message, 'usage_metadata');
  const inputTokens = readCount(usage, 'input_tokens');
  const tokensUsed = inputTokens + readCount(usage, 'output_tokens');
  return inputTokens === 0 ? { tokensUsed } : { tokensUsed, inputTokens };
}

function readCount(usage: unknown, name: string): number {
  const count = readField(usage, name);
  return typeof count === 'number' && Number.isFinite(count) ? Math.max(0, Math.trunc(count)) : 0;
}

function toLangChainMessage({ role, text, image }: ChatMessage): BaseMessage {
  if (role === 'system') return new SystemMessage(text);
  if (role === 'assistant') return new AIMessage(text);
  if (image === undefined) return new HumanMessage(text);
  return new HumanMessage({
    content: [
      { type: 'text', text },
      { type: 'image_url', image_url: { url: image } },
    ],
  });
}
