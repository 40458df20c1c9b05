import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const documentSchema = z.object({ id: z.string(), title: z.string(), text: z.string() });

export const messageSchema = z.object({
  id: z.string(),
  kind: z.string(),
  message: z.string(),
  doc: z.string().nullish(),
  /** Regular expressions; one of them matches a right answer, or all of them if there are `answers`. */
  expect: z.array(z.string()).default([]),
  /** The answers to several questions in one message. */
  answers: z.array(z.string()).nullish(),
  /** Whether the documents hold no answer. */
  refuse: z.boolean(),
});

export type EverydayDocument = z.output<typeof documentSchema>;
export type EverydayMessage = z.output<typeof messageSchema>;

/** Documents of one company with messages of its visitors, in everyday wording. */
export interface EverydaySet {
  readonly name: string;
  readonly documents: readonly EverydayDocument[];
  readonly messages: readonly EverydayMessage[];
}

/** Reads every `NAME.docs.jsonl` of a folder with its `NAME.questions.jsonl`. */
export function readEverydaySets(folder: string, names: readonly string[]): readonly EverydaySet[] {
  const known = readdirSync(folder).flatMap((file) => /^(.+)\.docs\.jsonl$/u.exec(file)?.[1] ?? []);
  const chosen = known.filter((name) => names.length === 0 || names.some((part) => name.includes(part)));
  return chosen.sort().map((name) => ({
    name,
    documents: readLines(join(folder, `${name}.docs.jsonl`), documentSchema),
    messages: readLines(join(folder, `${name}.questions.jsonl`), messageSchema),
  }));
}

function readLines<Line>(path: string, schema: z.ZodType<Line>): readonly Line[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => schema.parse(JSON.parse(line)));
}

/** The product's reply to a message. */
export interface Reply {
  readonly message: EverydayMessage;
  readonly answer: string;
  readonly tier: 'answer' | 'maybe' | 'none';
  readonly probability: number | null;
}

/** Whether the text of a reply holds the right answer, whatever its markup. */
export function isRight({ message, answer }: Pick<Reply, 'message' | 'answer'>): boolean {
  if (message.refuse || message.expect.length === 0) return false;
  const plain = answer.replace(/[*_`|#>\\]+/gu, ' ').replace(/\s+/gu, ' ');
  const matches = (pattern: string) => {
    const expression = new RegExp(pattern, 'isu');
    return expression.test(plain) || expression.test(answer);
  };
  const isWhole = (message.answers ?? []).length > 0;
  return isWhole ? message.expect.every(matches) : message.expect.some(matches);
}
