import { z } from 'zod';
import type { EarlierTurn } from '../../core/contract/answer.ts';
import { boundedString, questionSchema } from '../schemas/fields.ts';

/** The parameters that all forms of a question to the public agent share. */
export const contractParameters = {
  query: questionSchema,
  site: boundedString({ max: 2_000 })
    .optional()
    .meta({ description: 'The site that the question is sent from. Logged only.' }),
  locale: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*$/)
    .transform((code) => code.slice(0, 2).toLowerCase())
    .optional()
    .meta({ description: 'ISO 639-1 code. Defaults to the language of the question.', examples: ['en'] }),
};

const modes = ['list', 'summarize', 'generate'] as const;
const synonyms: Readonly<Record<string, string>> = { summary: 'summarize' };

/** One mode, or several separated by commas, of which the most detailed counts. */
export const modeSchema = z
  .string()
  .max(100)
  .transform((text) =>
    text
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
  .transform((names) => names.map((name) => synonyms[name] ?? name))
  .pipe(z.array(z.enum(modes)).min(1))
  .transform((names) => modes.findLast((name) => names.includes(name)) ?? 'list');

const mode = modeSchema.optional();

const falseWords = ['false', '0', 'no', 'off'];
const trueWords = ['true', '1', 'yes', 'on'];

/** A boolean as JSON or as text in a query string. */
export const flagSchema = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) => String(value).trim().toLowerCase())
  .refine((value) => trueWords.includes(value) || falseWords.includes(value))
  .transform((value) => trueWords.includes(value))
  .meta({ default: true });

const queries = z.array(z.string()).max(200);

/** A list, or a string that contains one, as JSON or separated by commas. */
export const previousQueriesSchema = z.union([queries, z.string().transform(parseQueries).pipe(queries)]);

/** The parameters of the open NLWeb protocol that the documented API does not have. */
export const protocolParameters = {
  prev: previousQueriesSchema.optional().meta({ description: 'Earlier questions, oldest first.' }),
  decontextualized_query: boundedString({ max: 4_000 }, z.string().trim()).optional().meta({
    description: 'The question rewritten so that it is complete without the earlier ones. Replaces query.',
  }),
  query_id: boundedString({ max: 200 }, z.string().trim()).optional(),
  mode: mode.meta({
    description:
      'list (default) returns matching passages, summarize adds a summary, and generate returns an answer.',
  }),
  generate_mode: mode.meta({ description: 'An alias of mode that many clients use.' }),
  streaming: flagSchema.optional().meta({ description: 'true (default) returns server-sent events.' }),
};

function parseQueries(text: string): string[] {
  const list = parseJsonList(text);
  const parts = list ?? text.split(',');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function parseJsonList(text: string): string[] | null {
  if (!text.trim().startsWith('[')) return null;
  try {
    return queries.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Returns whether a body contains a parameter that only the open NLWeb protocol has. It is then answered in
 * that format.
 */
export function isProtocolRequest(body: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(protocolParameters).some((field) => body[field] !== undefined);
}

export type ProtocolMode = 'list' | 'summarize' | 'generate';

/** A question in the format of the open NLWeb protocol. */
export interface ProtocolRequest {
  readonly text: string;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
  readonly locale: string | null;
  readonly mode: ProtocolMode;
  /** The client's own id of the query; null if it sent none. */
  readonly queryId: string | null;
  readonly streaming: boolean;
}

type ProtocolParameters = z.output<z.ZodObject<typeof contractParameters & typeof protocolParameters>>;

const maxEarlierTurns = 4;

/** Converts the parameters to a question. `earlierTurns` is used if the client does not send `prev`. */
export function parseProtocolRequest(
  fields: ProtocolParameters,
  earlierTurns: readonly EarlierTurn[] = [],
): ProtocolRequest {
  const { query, prev, decontextualized_query: rewritten, query_id, mode, generate_mode, streaming } = fields;
  const previous = prev?.map((question) => ({ question: question.slice(0, 1_000), answer: null }));
  const standsAlone = rewritten !== undefined && rewritten !== '';
  return {
    text: standsAlone ? rewritten : query,
    earlierTurns: standsAlone ? [] : (previous ?? earlierTurns).slice(-maxEarlierTurns),
    locale: fields.locale ?? null,
    mode: mode ?? generate_mode ?? 'list',
    queryId: query_id === undefined || query_id === '' ? null : query_id,
    streaming: streaming ?? true,
  };
}
