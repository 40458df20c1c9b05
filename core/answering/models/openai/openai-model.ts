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
 * A model of OpenAI's, or of another server that speaks its chat completions. Read by ourselves, as most installations
 * have one and its library, with LangChain's around it, takes several times as long: 1.2 ms of processor a streamed answer of
 * twenty tokens.
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

/** What comes at once is one piece, so that a process with very many streams makes larger steps instead of falling behind. */
async function* inPieces(
  model: string,
  settings: ProviderSettings,
  { signal, ...request }: ChatRequest,
): AsyncGenerator<ModelPiece> {
  const body = await postJson(settings, { path: PATH, body: buildRequest(model, request), signal });
  const reader = new EventParser();
  let used = 0;
  for await (const bytes of body) {
    let words = '';
    const calls: ToolCall[] = [];
    for (const data of reader.push(bytes)) {
      if (data === END) continue;
      const { text, toolCalls, tokensUsed } = parseChunk(parseEvent(data));
      used = tokensUsed ?? used;
      words += text;
      calls.push(...toolCalls);
    }
    if (words !== '' || calls.length > 0) yield { text: words, tokensUsed: 0, toolCalls: calls };
  }
  yield { text: '', tokensUsed: used };
}

/** Some servers tell of a fault in the middle of a stream that began well. */
function parseEvent(data: string): unknown {
  const chunk: unknown = JSON.parse(data);
  const error = readField(chunk, 'error');
  if (error == null) return chunk;
  throw new TypeError(
    `the provider broke off: ${String(readField(error, 'message') ?? JSON.stringify(error))}`,
  );
}

/** Reasoning models take no temperature, and their thoughts count as tokens of the answer. */
const REASONING = /^(?:o\d|gpt-[5-9](?!-chat))/;
/** What suits answers from passages: the same question gets the same answer. */
const DEFAULT_TEMPERATURE = 0;

/** The body of a chat completion's request. Pure. */
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

/** What a whole answer says. */
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
  /** All that was used until then; undefined where it does not tell. */
  readonly tokensUsed: number | undefined;
  /** Those that begin here or go on, without their arguments. */
  readonly toolCalls: readonly ToolCall[];
}

/** What the next event of a streamed answer adds. */
export function parseChunk(chunk: unknown): CompletionChunk {
  const delta = readField(firstChoice(chunk), 'delta');
  const begun = parseCalls(delta);
  return {
    text: parseText(delta),
    tokensUsed: parseUsage(chunk),
    toolCalls:
      begun.length === 0 ? NO_CALLS : begun.map((call) => ({ name: parseCallName(call), given: {} })),
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

/** A call whose arguments are no JSON is told too, without them: what is missing can be asked for. */
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

/** Takes the data out of a stream of server-sent events that comes in pieces. */
export class EventParser {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line whose end has not come yet. */
  #begun = '';

  /** The data of the lines that are whole now; one that has several lines counts as several, which no provider sends. */
  push(piece: Uint8Array): readonly string[] {
    const text = this.#begun + this.#decoder.decode(piece, { stream: true });
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#begun = lines.pop() ?? '';
    return lines.flatMap((line) => (line.startsWith(DATA) ? line.slice(DATA.length).trim() : []));
  }
}
