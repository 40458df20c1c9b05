import type { NewTestQuestion } from '../../../ask/evaluation-queries.ts';

const maxText = 2_000;
const maxAccepted = 20;

/**
 * Reads a set in JSON Lines: one object a line with `question` or `message`, and `answers` (accepted texts) or `answer` (one
 * accepted text); `refuse`, or a `kind` of `out-of-index` or `near-miss`, for a question without an answer. Returns the
 * number of the first line, from 1, that is no question. Pure.
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

function parseObject(line: string): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
  } catch {
    // Not JSON: the caller tells the line.
    return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxText ? value.trim() : null;
}
