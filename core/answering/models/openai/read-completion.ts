import type { ModelPiece, ToolCall } from '../chat-model.ts';
import { fieldOf } from '../field-of.ts';

const NO_CALLS: readonly ToolCall[] = [];

/** What a whole answer says. */
export function readCompletion(completion: unknown): ModelPiece {
  const message = fieldOf(firstChoice(completion), 'message');
  return {
    text: textOf(message),
    tokensUsed: tokensOf(completion) ?? 0,
    toolCalls: callsOf(message).map((call) => ({ name: nameOf(call), given: argumentsOf(call) })),
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
export function readChunk(chunk: unknown): CompletionChunk {
  const delta = fieldOf(firstChoice(chunk), 'delta');
  const begun = callsOf(delta);
  return {
    text: textOf(delta),
    tokensUsed: tokensOf(chunk),
    toolCalls: begun.length === 0 ? NO_CALLS : begun.map((call) => ({ name: nameOf(call), given: {} })),
  };
}

function firstChoice(answer: unknown): unknown {
  const choices = fieldOf(answer, 'choices');
  return Array.isArray(choices) ? choices[0] : undefined;
}

function textOf(message: unknown): string {
  const content = fieldOf(message, 'content');
  return typeof content === 'string' ? content : '';
}

function callsOf(message: unknown): readonly unknown[] {
  const calls = fieldOf(message, 'tool_calls');
  return Array.isArray(calls) ? calls : NO_CALLS;
}

function nameOf(call: unknown): string {
  const name = fieldOf(fieldOf(call, 'function'), 'name');
  return typeof name === 'string' ? name : '';
}

/** A call whose arguments are no JSON is told too, without them: what is missing can be asked for. */
function argumentsOf(call: unknown): unknown {
  try {
    return JSON.parse(String(fieldOf(fieldOf(call, 'function'), 'arguments')));
  } catch {
    return {};
  }
}

function tokensOf(answer: unknown): number | undefined {
  const usage = fieldOf(answer, 'usage');
  if (usage === undefined || usage === null) return undefined;
  return countOf(usage, 'prompt_tokens') + countOf(usage, 'completion_tokens');
}

function countOf(usage: unknown, name: string): number {
  const count = fieldOf(usage, name);
  return typeof count === 'number' && Number.isFinite(count) ? Math.max(0, Math.trunc(count)) : 0;
}
