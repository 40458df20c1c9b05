import { z } from 'zod';
import type { EarlierTurn } from '../../core/answering/understanding/standalone-question.ts';
import { boundedString, questionSchema } from '../schemas/fields.ts';

/** What every form of a question to the public agent takes. */
export const contractParameters = {
  query: questionSchema,
  site: boundedString({ max: 2_000 })
    .optional()
    .meta({ description: 'Where it is asked from; only logged.' }),
  locale: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*$/)
    .transform((code) => code.slice(0, 2).toLowerCase())
    .optional()
    .meta({ description: 'ISO 639-1; told by the question when absent.', examples: ['en'] }),
};

const modes = ['list', 'summarize', 'generate'] as const;
const synonyms: Readonly<Record<string, string>> = { summary: 'summarize' };

/** One mode, or several between commas, of which the one that says most counts. */
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
  .transform((named) => modes.findLast((name) => named.includes(name)) ?? 'list');

const mode = modeSchema.optional();

const falseWords = ['false', '0', 'no', 'off'];
const trueWords = ['true', '1', 'yes', 'on'];

/** As JSON and as a query string can hold it. */
export const flagSchema = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) => String(value).trim().toLowerCase())
  .refine((value) => trueWords.includes(value) || falseWords.includes(value))
  .transform((value) => trueWords.includes(value))
  .meta({ default: true });

const queries = z.array(z.string()).max(200);

/** A list; or a string that holds one, as JSON or between commas. */
export const previousQueriesSchema = z.union([queries, z.string().transform(parseQueries).pipe(queries)]);

/** The parameters of the open NLWeb protocol beyond those of our own contract. */
export const protocolParameters = {
  prev: previousQueriesSchema.optional().meta({ description: 'Earlier questions, oldest first.' }),
  decontextualized_query: boundedString({ max: 4_000 }, z.string().trim())
    .optional()
    .meta({ description: 'The question as it stands without the earlier ones; asked instead of query.' }),
  query_id: boundedString({ max: 200 }, z.string().trim()).optional(),
  mode: mode.meta({
    description: 'list (when absent): what is found; summarize: and what it says; generate: an answer.',
  }),
  generate_mode: mode.meta({ description: 'Another name of mode, which many clients use.' }),
  streaming: flagSchema.optional().meta({ description: 'Whether the answer comes as server-sent events.' }),
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

/** Whether a body holds a parameter that only the open NLWeb protocol has: then it is answered in that form. */
export function isProtocolRequest(body: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(protocolParameters).some((field) => body[field] !== undefined);
}

export type ProtocolMode = 'list' | 'summarize' | 'generate';

/** A question in the form of the open NLWeb protocol. */
export interface ProtocolRequest {
  readonly text: string;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
  readonly locale: string | null;
  readonly mode: ProtocolMode;
  /** The caller's own; null where it sent none. */
  readonly queryId: string | null;
  readonly streaming: boolean;
}

type ProtocolParameters = z.output<z.ZodObject<typeof contractParameters & typeof protocolParameters>>;

const maxEarlierTurns = 4;

/** Parameters as a question; `earlierTurns` where they come in another way than as `prev`. */
export function parseProtocolRequest(
  fields: ProtocolParameters,
  earlierTurns: readonly EarlierTurn[] = [],
): ProtocolRequest {
  const { query, prev, decontextualized_query: whole, query_id, mode, generate_mode, streaming } = fields;
  const previous = prev?.map((question) => ({ question: question.slice(0, 1_000), answer: null }));
  const standsAlone = whole !== undefined && whole !== '';
  return {
    text: standsAlone ? whole : query,
    earlierTurns: standsAlone ? [] : (previous ?? earlierTurns).slice(-maxEarlierTurns),
    locale: fields.locale ?? null,
    mode: mode ?? generate_mode ?? 'list',
    queryId: query_id === undefined || query_id === '' ? null : query_id,
    streaming: streaming ?? true,
  };
}
