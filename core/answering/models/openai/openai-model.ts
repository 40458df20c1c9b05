import {
  ANSWER_TOKENS,
  type ChatMessage,
  type ChatModel,
  type ChatRequest,
  type ModelPiece,
  type ToolCall,
} from '../chat-model.ts';
import { type ModelChoice, modelName } from '../model-choice.ts';
import { readField } from '../provider-failure.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import { postJson } from './post-json.ts';

const PATH = '/chat/completions';
const END = '[DONE]';

/**
 * A model of OpenAI, or of another server with its chat completions API. Parley parses the API itself, because most
 * installations use it, and OpenAI's library within LangChain takes several times the CPU time: 1.2 ms for a streamed
 * answer of twenty tokens.
 */
export function openaiModel(choice: ModelChoice, settings: ProviderSettings): ChatModel {
  const { model } = choice;
  return {
    name: modelName(choice),
    write: (request) => (request.streamed ? inPieces : inOnePiece)(model, settings, request),
  };
}

async function* inOnePiece(
  model: string,
  settings: ProviderSettings,
  { signal, ...request }: ChatRequest,
): AsyncGenerator<ModelPiece> {
  const body = await postJson(settings, { path: PATH, body: buildRequest(model, request), signal });
  yield parseCompletion(await body.json());
}

/**
 * Merges the events of one network chunk into one piece, so that a process with many streams does less work for each
 * token.
 */
async function* inPieces(
  model: string,
  settings: ProviderSettings,
  { signal, ...request }: ChatRequest,
): AsyncGenerator<ModelPiece> {
  const body = await postJson(settings, { path: PATH, body: buildRequest(model, request), signal });
  const reader = new EventParser();
  let tokens = 0;
  for await (const bytes of body) {
    let output = '';
    const calls: ToolCall[] = [];
    for (const data of reader.push(bytes)) {
      if (data === END) continue;
      const { text, toolCalls, tokensUsed } = parseChunk(parseEvent(data));
      tokens = tokensUsed ?? tokens;
      output += text;
      calls.push(...toolCalls);
    }
    if (output !== '' || calls.length > 0) yield { text: output, tokensUsed: 0, toolCalls: calls };
  }
  yield { text: '', tokensUsed: tokens };
}

/** Some servers report an error inside a stream that started with status 200. */
function parseEvent(data: string): unknown {
  const chunk: unknown = JSON.parse(data);
  const error = readField(chunk, 'error');
  if (error == null) return chunk;
  throw new TypeError(
    `the provider ended the stream with an error: ${String(readField(error, 'message') ?? JSON.stringify(error))}`,
  );
}

/** Reasoning models accept no temperature, and their reasoning counts as output tokens. */
const REASONING = /^(?:o\d|gpt-[5-9](?!-chat))/;
/** Makes answers reproducible: the same question gets the same answer. */
const DEFAULT_TEMPERATURE = 0;

/** Builds the body of a chat completions request. Pure. */
export function buildRequest(
  model: string,
  { messages, temperature, streamed, tools = [] }: Omit<ChatRequest, 'signal'>,
): object {
  const isReasoning = REASONING.test(model);
  return {
    model,
    messages: messages.map(({ role, text }) => ({ role: isReasoning ? roleFor(role) : role, content: text })),
    ...(!isReasoning && { temperature: temperature ?? DEFAULT_TEMPERATURE, max_tokens: ANSWER_TOKENS }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(streamed && { stream: true, stream_options: { include_usage: true } }),
  };
}

function roleFor(role: ChatMessage['role']): string {
  return role === 'system' ? 'developer' : role;
}

const NO_CALLS: readonly ToolCall[] = [];

/** Parses a complete (not streamed) answer. */
export function parseCompletion(completion: unknown): ModelPiece {
  const message = readField(firstChoice(completion), 'message');
  return {
    text: parseText(message),
    tokensUsed: parseUsage(completion) ?? 0,
    toolCalls: parseCalls(message).map((call) => ({
      name: parseCallName(call),
      given: parseArguments(call),
    })),
  };
}

interface CompletionChunk {
  readonly text: string;
  /** Total tokens so far; undefined if the event does not report them. */
  readonly tokensUsed: number | undefined;
  /** Tool calls that start or continue in this event, without arguments. */
  readonly toolCalls: readonly ToolCall[];
}

/** Parses the next event of a streamed answer. */
export function parseChunk(chunk: unknown): CompletionChunk {
  const delta = readField(firstChoice(chunk), 'delta');
  const calls = parseCalls(delta);
  return {
    text: parseText(delta),
    tokensUsed: parseUsage(chunk),
    toolCalls:
      calls.length === 0 ? NO_CALLS : calls.map((call) => ({ name: parseCallName(call), given: {} })),
  };
}

function firstChoice(answer: unknown): unknown {
  const choices = readField(answer, 'choices');
  return Array.isArray(choices) ? choices[0] : undefined;
}

function parseText(message: unknown): string {
  const content = readField(message, 'content');
  return typeof content === 'string' ? content : '';
}

function parseCalls(message: unknown): readonly unknown[] {
  const calls = readField(message, 'tool_calls');
  return Array.isArray(calls) ? calls : NO_CALLS;
}

function parseCallName(call: unknown): string {
  const name = readField(readField(call, 'function'), 'name');
  return typeof name === 'string' ? name : '';
}

/** Returns no arguments if they are not valid JSON: the skill asks the visitor for what is missing. */
function parseArguments(call: unknown): unknown {
  try {
    return JSON.parse(String(readField(readField(call, 'function'), 'arguments')));
  } catch {
    return {};
  }
}

function parseUsage(answer: unknown): number | undefined {
  const usage = readField(answer, 'usage');
  if (usage === undefined || usage === null) return undefined;
  return parseCount(usage, 'prompt_tokens') + parseCount(usage, 'completion_tokens');
}

function parseCount(usage: unknown, name: string): number {
  const count = readField(usage, name);
  return typeof count === 'number' && Number.isFinite(count) ? Math.max(0, Math.trunc(count)) : 0;
}

const DATA = 'data:';

/** Extracts the data lines from a stream of server-sent events that arrives in pieces. */
export class EventParser {
  readonly #decoder = new TextDecoder();
  /** The start of a line that is still incomplete. */
  #partial = '';

  /**
   * Returns the data of the lines that are now complete. An event with several data lines counts as several events; no
   * provider sends such events.
   */
  push(piece: Uint8Array): readonly string[] {
    const text = this.#partial + this.#decoder.decode(piece, { stream: true });
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#partial = lines.pop() ?? '';
    return lines.flatMap((line) => (line.startsWith(DATA) ? line.slice(DATA.length).trim() : []));
  }
}
