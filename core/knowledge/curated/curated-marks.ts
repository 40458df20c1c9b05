import type { Kysely } from 'kysely';
import { prepareStatement } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { FoundPassage, RankedChunk } from '../passage.ts';
import { type CuratedAction, curatedActions, isCurated, toQuestionKey } from './curated-answer.ts';

/** A curated answer without text that a question found first. */
export interface CuratedRule {
  readonly documentId: string;
  readonly title: string;
  readonly action: Exclude<CuratedAction, 'answer'>;
  /** The calibrated probability that it is about the question, 0 to 1. */
  readonly score: number;
}

interface AnswerRow {
  readonly id: string;
  readonly keys: readonly string[];
  readonly action: string;
}

const findValid = prepareStatement<AnswerRow>(
  `select id, keys, action from curated_answer
   where workspace_id = $1 and id = any($2) and (valid_until is null or valid_until > now())`,
);

/** The facts that a search needs about a curated answer. */
interface AnswerMarks {
  readonly action: CuratedAction;
  /** The question and its phrasings, as `toQuestionKey` returns them. */
  readonly keys: readonly string[];
}

/** Returns the marks of answers by their ids, without those that are past their date. */
export async function readMarks(
  database: Kysely<Tables>,
  { workspaceId, ids }: { readonly workspaceId: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, AnswerMarks>> {
  const rows = ids.length === 0 ? [] : await findValid(database, [workspaceId, ids]);
  return new Map(
    rows.flatMap(({ id, action, keys }) => {
      const known = curatedActions.find((each) => each === action);
      return known === undefined ? [] : [[id, { action: known, keys }] as const];
    }),
  );
}

interface Asked {
  readonly workspaceId: string;
  readonly question: string;
  /** The answers of a change set on trial, by id; null for one that is past its date. They are not read from the database. */
  readonly staged?: StagedAnswers | undefined;
}

export type StagedAnswers = ReadonlyMap<string, AnswerMarks | null>;

/**
 * Drops candidates whose curated answer is past its date, and marks the others with its action and with whether the
 * question is exactly one of its phrasings. It reads the database only if there are such candidates.
 */
export async function markCurated(
  database: Kysely<Tables>,
  { workspaceId, question, staged = new Map() }: Asked,
  passages: readonly FoundPassage[],
): Promise<readonly FoundPassage[]> {
  const stored = passages.filter(({ documentId, curated }) => isCurated(documentId) && curated === undefined);
  const ids = new Set(stored.map(({ documentId }) => documentId));
  if (ids.size === 0) return passages;
  const unknown = [...ids].filter((id) => !staged.has(id));
  const answers = new Map([...staged, ...(await readMarks(database, { workspaceId, ids: unknown }))]);
  const asked = toQuestionKey(question);
  return passages.flatMap((passage) => {
    // One that is not stored has its marks already.
    if (!ids.has(passage.documentId)) return [passage];
    const marks = answers.get(passage.documentId) ?? null;
    if (marks === null) return [];
    const { action, keys } = marks;
    // The question stands for the text until the answer that was just written is indexed.
    if (action === 'answer' && toQuestionKey(passage.body) === toQuestionKey(passage.title)) return [];
    return [{ ...passage, curated: action, isExact: keys.includes(asked) }];
  });
}

/** Takes the answers without text out of what was found, and returns the one that comes first, if it does. Pure. */
export function separateRule<Found extends RankedChunk<FoundPassage>>(
  ranked: readonly Found[],
): { readonly ranked: readonly Found[]; readonly rule: CuratedRule | null } {
  const [first] = ranked;
  const action = first?.curated ?? 'answer';
  const rest = ranked.filter(({ curated = 'answer' }) => curated === 'answer');
  if (first === undefined || action === 'answer') return { ranked: rest, rule: null };
  const { documentId, title, score } = first;
  return { ranked: rest, rule: { documentId, title, action, score } };
}
