import type { NewTestQuestion } from '../../../ask/evaluation-queries.ts';
import { isChannel } from './scripts/channels.ts';

type Fields = ReadonlyMap<string, unknown>;
type NewTurn = NonNullable<NewTestQuestion['turns']>[number];

const maxText = 2_000;
const maxAccepted = 20;

const maxTurns = 20;

/**
 * Reads a set in JSON Lines: one object a line with `question` or `message`, and `answers` (accepted texts) or `answer` (one
 * accepted text); `refuse`, or a `kind` of `out-of-index` or `near-miss`, for a question without an answer. A line with
 * `turns` is a scripted customer with the `goal`: each turn has a `message` and any of `answer` (a text that the reply has),
 * `document_id`, `refuse`, `person` and `tier`; the line may have `channel`, `lang` and `audience`. Returns the number of the
 * first line, from 1, that is neither. Pure.
 */
export function parseSet(
  text: string,
): { readonly questions: readonly NewTestQuestion[] } | { readonly badLine: number } {
  const questions: NewTestQuestion[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const question = parseLine(line);
    if (question === null) return { badLine: index + 1 };
    questions.push(question);
  }
  return questions.length === 0 ? { badLine: 1 } : { questions };
}

function parseLine(line: string): NewTestQuestion | null {
  const fields = parseObject(line);
  if (fields === null) return null;
  const turns: unknown = fields.get('turns');
  if (turns !== undefined) return parseScript(fields, turns);
  const question = textOf(fields.get('question')) ?? textOf(fields.get('message'));
  if (question === null) return null;
  const base = { question, origin: 'upload' as const };
  const kind = fields.get('kind');
  if (textOf(fields.get('refuse')) !== null || fields.get('refuse') === true)
    return { ...base, expects: 'nothing' };
  if (kind === 'out-of-index' || kind === 'near-miss') return { ...base, expects: 'nothing' };
  const answers: unknown = fields.get('answers');
  const several = Array.isArray(answers) ? answers.flatMap((answer) => textOf(answer) ?? []) : [];
  const one = textOf(fields.get('answer'));
  const accepted = several.length > 0 ? several : one === null ? [] : [one];
  return accepted.length === 0 ? null : { ...base, accepted: accepted.slice(0, maxAccepted) };
}

function parseScript(fields: Fields, given: unknown): NewTestQuestion | null {
  const question = textOf(fields.get('goal')) ?? textOf(fields.get('question'));
  if (question === null || !Array.isArray(given) || given.length === 0 || given.length > maxTurns)
    return null;
  const turns = given.flatMap((turn: unknown) => parseTurn(toFields(turn)) ?? []);
  if (turns.length < given.length) return null;
  const channel = textOf(fields.get('channel')) ?? 'api';
  const audience: unknown = fields.get('audience');
  const tags = Array.isArray(audience) ? audience.flatMap((tag) => textOf(tag) ?? []) : [];
  if (!isChannel(channel)) return null;
  const language = textOf(fields.get('lang')) ?? textOf(fields.get('language'));
  return { question, origin: 'upload', turns, channel, language, audience: tags };
}

function parseTurn(fields: Fields | null): NewTurn | null {
  const message = textOf(fields?.get('message')) ?? textOf(fields?.get('question'));
  if (fields === null || message === null) return null;
  const tier = fields.get('tier');
  const refuse = fields.get('refuse');
  return {
    message,
    phrase: textOf(fields.get('answer')) ?? textOf(fields.get('phrase')),
    document_id: textOf(fields.get('document_id')),
    refuse: refuse === true || textOf(refuse) !== null,
    person: fields.get('person') === true,
    tier: tier === 'answer' || tier === 'maybe' ? tier : null,
  };
}

function parseObject(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return toFields(value);
  } catch {
    // Not JSON: the caller tells the line.
    return null;
  }
}

function toFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxText ? value.trim() : null;
}
