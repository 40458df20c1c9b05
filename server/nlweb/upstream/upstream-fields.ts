import { z } from 'zod';
import { characters } from '../../schemas/characters.ts';

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
