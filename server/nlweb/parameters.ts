import { z } from 'zod';
import type { EarlierTurn } from '../../core/answering/understanding/standalone-question.ts';
import { characters, questionSchema } from '../schemas/fields.ts';

/** What every form of a question to the public agent takes. */
export const askFields = {
  query: questionSchema,
  site: characters({ max: 2_000 }).optional().meta({ description: 'Where it is asked from; only logged.' }),
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

const falsehoods = ['false', '0', 'no', 'off'];
const truths = ['true', '1', 'yes', 'on'];

/** As JSON and as a query string can hold it. */
export const flagSchema = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) => String(value).trim().toLowerCase())
  .refine((value) => truths.includes(value) || falsehoods.includes(value))
  .transform((value) => truths.includes(value))
  .meta({ default: true });

const queries = z.array(z.string()).max(200);

/** A list; or a string that holds one, as JSON or between commas. */
export const previousQueriesSchema = z.union([queries, z.string().transform(splitQueries).pipe(queries)]);

/** The parameters of the open NLWeb protocol beyond those of our own contract. */
export const upstreamFields = {
  prev: previousQueriesSchema.optional().meta({ description: 'Earlier questions, oldest first.' }),
  decontextualized_query: characters({ max: 4_000 }, z.string().trim())
    .optional()
    .meta({ description: 'The question as it stands without the earlier ones; asked instead of query.' }),
  query_id: characters({ max: 200 }, z.string().trim()).optional(),
  mode: mode.meta({
    description: 'list (when absent): what is found; summarize: and what it says; generate: an answer.',
  }),
  generate_mode: mode.meta({ description: 'Another name of mode, which many clients use.' }),
  streaming: flagSchema.optional().meta({ description: 'Whether the answer comes as server-sent events.' }),
};

function splitQueries(text: string): string[] {
  const list = jsonList(text);
  const parts = list ?? text.split(',');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function jsonList(text: string): string[] | null {
  if (!text.trim().startsWith('[')) return null;
  try {
    return queries.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether a body holds a parameter that only the open NLWeb protocol has: then it is answered in that form. */
export function isUpstream(body: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(upstreamFields).some((field) => body[field] !== undefined);
}

export type UpstreamMode = 'list' | 'summarize' | 'generate';

/** A question in the form of the open NLWeb protocol. */
export interface UpstreamRequest {
  readonly text: string;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
  readonly locale: string | null;
  readonly mode: UpstreamMode;
  /** The caller's own; null where it sent none. */
  readonly queryId: string | null;
  readonly streaming: boolean;
}

type Fields = z.output<z.ZodObject<typeof askFields & typeof upstreamFields>>;

const remembered = 4;

/** Parameters as a question; `earlierTurns` where they come in another way than as `prev`. */
export function readUpstream(fields: Fields, earlierTurns: readonly EarlierTurn[] = []): UpstreamRequest {
  const { query, prev, decontextualized_query: whole, query_id, mode, generate_mode, streaming } = fields;
  const previous = prev?.map((question) => ({ question: question.slice(0, 1_000), answer: null }));
  const standsAlone = whole !== undefined && whole !== '';
  return {
    text: standsAlone ? whole : query,
    earlierTurns: standsAlone ? [] : (previous ?? earlierTurns).slice(-remembered),
    locale: fields.locale ?? null,
    mode: mode ?? generate_mode ?? 'list',
    queryId: query_id === undefined || query_id === '' ? null : query_id,
    streaming: streaming ?? true,
  };
}
