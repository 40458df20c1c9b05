import type { Dispatcher } from 'undici';
import { type ModelChoice, modelName } from '../../config/model-choice.ts';
import type { ChatModel, ChatRequest, ModelPiece, ToolCall } from '../chat-model.ts';
import { readField } from '../provider-failure.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import { Thinking } from '../thinking.ts';
import { type Accepted, buildRequest, guessAccepted, learnFromRefusal } from './completion-request.ts';
import { postJson } from './post-json.ts';

const PATH = '/chat/completions';
const END = '[DONE]';

/**
 * A model of OpenAI, or of another server with its chat completions API. Parley parses the API itself, because most
 * installations use it, and OpenAI's library within LangChain takes several times the CPU time: 1.2 ms for a streamed
 * answer of twenty tokens.
 */
export function openaiModel(
  choice: ModelChoice,
  settings: ProviderSettings,
  thinking: Thinking = new Thinking(choice.model),
): ChatModel {
  const server = new LearningServer(choice.model, settings, thinking);
  return {
    name: modelName(choice),
    get thinks() {
      return thinking.thinks;
    },
    write: (request) => (request.streamed ? inPieces : inOnePiece)(server, request),
  };
}

/** Each field is refused once at most: the limit of the output under two names, and four others. */
const MAX_REFUSALS = 6;

/** Sends requests, and remembers which fields the server refuses. */
class LearningServer {
  readonly #model: string;
  readonly #settings: ProviderSettings;
  readonly #thinking: Thinking;
  #accepted: Accepted;

  constructor(model: string, settings: ProviderSettings, thinking: Thinking) {
    this.#model = model;
    this.#settings = settings;
    this.#thinking = thinking;
    this.#accepted = guessAccepted(thinking);
  }

  async post({ signal, ...request }: ChatRequest): Promise<Dispatcher.ResponseData['body']> {
    let accepted = this.#accepted;
    for (let refusals = 0; ; refusals += 1) {
      const body = buildRequest(
        { model: this.#model, accepted, thinking: this.#thinking, effort: this.#settings.effort },
        request,
      );
      try {
        const response = await postJson(this.#settings, { path: PATH, body, signal });
        this.#remember(accepted);
        return response;
      } catch (error) {
        const learned = refusals < MAX_REFUSALS ? learnFromRefusal(accepted, error) : null;
        if (learned === null) throw error;
        accepted = learned;
      }
    }
  }

  #remember(accepted: Accepted): void {
    // Only reasoning models refuse `max_tokens` in favour of the other field.
    const isReasoning = accepted.limit === 'max_completion_tokens' && this.#accepted.limit === 'max_tokens';
    if (isReasoning) this.#thinking.thinks = true;
    this.#accepted = accepted;
  }
}

async function* inOnePiece(server: LearningServer, request: ChatRequest): AsyncGenerator<ModelPiece> {
  const body = await server.post(request);
  yield parseCompletion(await body.json());
}

/**
 * Merges the events of one network chunk into one piece, so that a process with many streams does less work for each
 * token.
 */
async function* inPieces(server: LearningServer, request: ChatRequest): AsyncGenerator<ModelPiece> {
  const body = await server.post(request);
  const reader = new EventParser();
  let usage: Usage = NO_USAGE;
  for await (const bytes of body) {
    let output = '';
    let reasoned = false;
    let isReport = false;
    const calls: ToolCall[] = [];
    for (const data of reader.push(bytes)) {
      isReport ||= data === END;
      if (data === END) continue;
      const { text, toolCalls, tokensUsed, inputTokens, ...chunk } = parseChunk(parseEvent(data));
      if (tokensUsed !== undefined) {
        usage = { tokensUsed, ...(inputTokens !== undefined && { inputTokens }) };
        isReport = true;
      }
      output += text;
      reasoned ||= chunk.reasoned;
      calls.push(...toolCalls);
    }
    // Other events without output, such as the comments of a server that waits for its model, show that it works.
    if (output === '' && calls.length === 0 && isReport) continue;
    yield { text: output, tokensUsed: 0, toolCalls: calls, ...(reasoned && { reasoned }) };
  }
  yield { text: '', ...usage };
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

const NO_CALLS: readonly ToolCall[] = [];

/** Parses a complete (not streamed) answer. */
export function parseCompletion(completion: unknown): ModelPiece {
  const message = readField(firstChoice(completion), 'message');
  return {
    text: parseText(message),
    ...(parseUsage(completion) ?? NO_USAGE),
    toolCalls: parseCalls(message).map((call) => ({
      name: parseCallName(call),
      given: parseArguments(call),
    })),
    ...(isReasoning(message) && { reasoned: true }),
  };
}

interface CompletionChunk {
  readonly text: string;
  /** Total tokens so far; undefined if the event does not report them. */
  readonly tokensUsed?: number;
  readonly inputTokens?: number;
  /** Tool calls that start or continue in this event, without arguments. */
  readonly toolCalls: readonly ToolCall[];
  /** Whether the event contains thoughts apart from the text. */
  readonly reasoned: boolean;
}

/** Parses the next event of a streamed answer. */
export function parseChunk(chunk: unknown): CompletionChunk {
  const delta = readField(firstChoice(chunk), 'delta');
  const calls = parseCalls(delta);
  return {
    text: parseText(delta),
    ...parseUsage(chunk),
    toolCalls:
      calls.length === 0 ? NO_CALLS : calls.map((call) => ({ name: parseCallName(call), given: {} })),
    reasoned: isReasoning(delta),
  };
}

/** The field in which servers send thoughts: DeepSeek, vLLM and others the first, OpenRouter and Groq the second. */
function isReasoning(message: unknown): boolean {
  return ['reasoning_content', 'reasoning'].some((name) => {
    const thoughts = readField(message, name);
    return typeof thoughts === 'string' && thoughts !== '';
  });
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

type Usage = Pick<ModelPiece, 'tokensUsed' | 'inputTokens'>;

const NO_USAGE: Usage = { tokensUsed: 0 };

function parseUsage(answer: unknown): Usage | undefined {
  const usage = readField(answer, 'usage');
  if (usage === undefined || usage === null) return undefined;
  const inputTokens = parseCount(usage, 'prompt_tokens');
  const tokensUsed = inputTokens + parseCount(usage, 'completion_tokens');
  return inputTokens === 0 ? { tokensUsed } : { tokensUsed, inputTokens };
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
