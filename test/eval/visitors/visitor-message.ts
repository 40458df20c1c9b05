import { readFileSync } from 'node:fs';
import { z } from 'zod';

const kinds = [
  'fact',
  'steps',
  'code',
  'list',
  'table',
  'exception',
  'two',
  'follow-up',
  'typo',
  'keywords',
  'yes-no',
  'german',
  'french',
  'spanish',
  'near-miss',
  'small-talk',
  'not-in-documents',
] as const;

const messageSchema = z.object({
  kind: z.enum(kinds),
  message: z.string(),
  /** The earlier messages of the same visitor. */
  turns: z.array(z.string()).default([]),
  /** Strings that the answer holds; `|` separates alternatives. */
  expect: z.array(z.string()).default([]),
  /** Strings of answers to a different question. */
  forbid: z.array(z.string()).default([]),
  /** Strings of the exception, which are also expected. */
  exception: z.array(z.string()).default([]),
  /**
   * The passage with each of `expect` and `exception`, as the document's title, ` > ` and the beginning of the sentence;
   * one of several passages may say the same. A single one holds them all. Empty: any passage that holds the strings.
   */
  evidence: z.array(z.array(z.string())).default([]),
  /** The message as a model rewrites or translates it. */
  standalone: z.string().optional(),
  /** Written and kept without looking at answers of the product. */
  blind: z.boolean().default(false),
});

/** A message of a visitor with what the answer must and must not hold. */
export type VisitorMessage = z.output<typeof messageSchema>;

/** The kind of a good reply to a message. */
export type Outcome = 'answer' | 'refusal' | 'small talk';

/** The reply of the product to one message. */
export interface Visit {
  readonly message: VisitorMessage;
  readonly answer: string;
  readonly confidence: string;
  /** The texts of the sources. */
  readonly sources: readonly string[];
}

const visitSchema = z.object({
  message: messageSchema,
  answer: z.string(),
  confidence: z.string(),
  sources: z.array(z.string()),
});
const runSchema = z.object({ set: z.string(), visit: visitSchema });

/** One message of a run, with the set that it is from. */
export interface VisitLine {
  readonly set: string;
  readonly visit: Visit;
}

/** Returns the strings that an answer holds. */
export function wantedStrings({ expect, exception }: VisitorMessage): readonly string[] {
  return [...new Set([...expect, ...exception])];
}

export function expectedOutcome({ kind }: VisitorMessage): Outcome {
  if (kind === 'small-talk') return 'small talk';
  return kind === 'near-miss' || kind === 'not-in-documents' ? 'refusal' : 'answer';
}

/** Reads messages from a file with one JSON object for each line. */
export function readMessages(path: string | URL): readonly VisitorMessage[] {
  return readLines(path, messageSchema);
}

/** Reads a run that was written as one line of JSON for each message. */
export function readVisits(path: string): readonly VisitLine[] {
  return readLines(path, runSchema);
}

function readLines<Line>(path: string | URL, schema: z.ZodType<Line>): readonly Line[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => schema.parse(JSON.parse(line)));
}
