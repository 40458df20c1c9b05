import { createHash } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newIdInOrder } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type Expectation, type Outcome, outcomes } from './judge.ts';
import {
  isExpecting,
  type PlayedTurn,
  playedTurnSchema,
  type ScriptTurn,
  scriptTurnSchema,
} from './scripts/judge-turn.ts';

export const questionOrigins = ['right', 'wrong', 'upload', 'hand', 'sampled'] as const;
type Origin = (typeof questionOrigins)[number];

/** A question whose right answer is known, or a scripted customer. */
export interface TestQuestion extends Expectation {
  readonly id: string;
  /** The goal of a scripted customer. */
  readonly question: string;
  readonly audience: readonly string[];
  /** ISO 639-1; null if the question tells it. */
  readonly language: string | null;
  /** `right` and `wrong`: a person judged an answer. `sampled`: a visitor asked it. */
  readonly origin: Origin;
  /** The turns of a scripted customer; empty for a question. */
  readonly turns: readonly ScriptTurn[];
  /** The kind of the channel that a scripted customer writes in, or `api`. */
  readonly channel: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** How the newest run that asked it judged the answer; null if none has. `turns` is empty for a question. */
  readonly last: {
    readonly outcome: Outcome;
    readonly because: string;
    readonly answer: string;
    readonly turns: readonly PlayedTurn[];
  } | null;
}

export interface NewTestQuestion extends Expectation {
  readonly question: string;
  readonly audience: readonly string[];
  readonly language: string | null;
  readonly origin: Origin;
  /** With turns it is a scripted customer, of whom nothing else is expected. */
  readonly turns?: readonly ScriptTurn[];
  /** Absent: `api`. */
  readonly channel?: string;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

interface QuestionQuery extends PageRequest {
  /** Absent: both. */
  readonly kind?: 'question' | 'script' | undefined;
  readonly outcome?: Outcome | undefined;
  readonly search?: string | undefined;
}

/** The most questions of a workspace: a nightly run asks all of them. */
const MAX_QUESTIONS = 2_000;

const kindSchema = z.object({
  expects: z.enum(['answer', 'nothing']),
  origin: z.enum(questionOrigins),
  last_outcome: z.enum(outcomes).nullable(),
});

/** Manages the questions that a workspace is tested with. */
export class TestQuestions {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores questions. One that is there for the same audience, upper and lower case aside, gets the new expectation.
   * Returns the number of new ones. Throws `too_many_test_questions`, `document_not_found` and `invalid_test_question`.
   */
  async put(
    workspaceId: string,
    questions: readonly NewTestQuestion[],
    createdBy: string,
  ): Promise<{ readonly added: number; readonly changed: number; readonly ids: readonly string[] }> {
    for (const question of questions) requireJudgeable(question);
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    const rows = new Map(
      questions.map((question) => [
        fingerprintOf(question),
        toRow(question, { workspaceId, createdBy, now }),
      ]),
    );
    return database.transaction().execute(async (transaction) => {
      // Two uploads at once must not pass the limit together.
      await transaction
        .selectFrom('workspace')
        .select('id')
        .where('id', '=', workspaceId)
        .forUpdate()
        .execute();
      await requireDocuments(transaction, workspaceId, questions);
      const before = await countQuestions(transaction, workspaceId);
      const ids: string[] = [];
      for (const { id, created_at, created_by, ...row } of rows.values()) {
        const stored = await transaction
          .insertInto('test_question')
          .values({ id, created_at, created_by, ...row })
          .onConflict((conflict) => conflict.columns(['workspace_id', 'fingerprint']).doUpdateSet(row))
          .returning('id')
          .executeTakeFirstOrThrow();
        ids.push(stored.id);
      }
      const after = await countQuestions(transaction, workspaceId);
      if (after > MAX_QUESTIONS) throw new AppError('too_many_test_questions');
      return { added: after - before, changed: rows.size - (after - before), ids };
    });
  }

  /** Lists questions, newest first. Throws `invalid_cursor`. */
  async list(
    workspaceId: string,
    { kind, outcome, search, ...page }: QuestionQuery,
  ): Promise<Page<TestQuestion> & { readonly total: number }> {
    const { database } = this.#dependencies;
    let query = this.#questions(workspaceId).selectAll();
    if (search !== undefined)
      query = query.where(sql<boolean>`strpos(lower(question), lower(${search})) > 0`);
    if (outcome !== undefined) query = query.where('last_outcome', '=', outcome);
    if (kind !== undefined) query = query.where('turns', kind === 'script' ? 'is not' : 'is', null);
    const list = `test questions ${workspaceId} ${kind ?? ''} ${outcome ?? ''} ${search ?? ''}`;
    const { items, nextCursor } = await keysetPage(query, { list, latest: 'created_at' }, page);
    const total = await countQuestions(database, workspaceId);
    return { items: items.map(fromRow), nextCursor, total };
  }

  /** Throws `test_question_not_found`. */
  async get(workspaceId: string, id: string): Promise<TestQuestion> {
    const row = await this.#questions(workspaceId).selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw new AppError('test_question_not_found');
    return fromRow(row);
  }

  /** Throws `test_question_not_found`. */
  async delete(workspaceId: string, id: string): Promise<void> {
    const result = await this.#dependencies.database
      .deleteFrom('test_question')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (result.numDeletedRows === 0n) throw new AppError('test_question_not_found');
  }

  #questions(workspaceId: string) {
    return this.#dependencies.database.selectFrom('test_question').where('workspace_id', '=', workspaceId);
  }
}

async function countQuestions(database: Kysely<Tables>, workspaceId: string): Promise<number> {
  const { count } = await database
    .selectFrom('test_question')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Throws `invalid_test_question` if nothing tells whether an answer is right, or both turns and something else do. */
function requireJudgeable({ expects, accepted, documentId, said, turns = [] }: NewTestQuestion): void {
  const isAnswerKnown = accepted.length > 0 || documentId !== null || said !== null || expects === 'nothing';
  const isJudgeable = turns.length === 0 ? isAnswerKnown : turns.some(isExpecting) && !isAnswerKnown;
  if (!isJudgeable) throw new AppError('invalid_test_question');
}

async function requireDocuments(
  database: Kysely<Tables>,
  workspaceId: string,
  questions: readonly NewTestQuestion[],
): Promise<void> {
  const named = questions.flatMap(({ documentId, turns = [] }) => [
    documentId,
    ...turns.map(({ document_id: id }) => id),
  ]);
  const ids = [...new Set(named)].filter((id) => id !== null);
  if (ids.length === 0) return;
  const found = await database
    .selectFrom('document')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute();
  if (found.length < ids.length) throw new AppError('document_not_found');
}

/** A scripted customer is another one than the question in the same words. */
function fingerprintOf({ question, audience, turns = [] }: NewTestQuestion): string {
  const kind = turns.length > 0 ? ['script'] : [];
  const text = JSON.stringify([question.trim().toLowerCase(), [...audience].sort(), ...kind]);
  return createHash('sha256').update(text).digest('hex');
}

function toRow(
  question: NewTestQuestion,
  { workspaceId, createdBy, now }: { workspaceId: string; createdBy: string; now: Date },
) {
  const { turns = [] } = question;
  return {
    id: newIdInOrder('test'),
    workspace_id: workspaceId,
    question: question.question.trim(),
    fingerprint: fingerprintOf(question),
    audience: [...question.audience],
    language: question.language,
    expects: question.expects,
    accepted: [...question.accepted],
    said: question.said,
    document_id: question.documentId,
    section: question.section,
    origin: question.origin,
    last_outcome: null,
    last_because: null,
    last_answer: null,
    last_turns: null,
    created_by: createdBy,
    created_at: now,
    updated_at: now,
    turns: turns.length === 0 ? null : JSON.stringify(turns),
    channel: turns.length === 0 ? null : (question.channel ?? 'api'),
  };
}

type QuestionRow = Selectable<Tables['test_question']>;

function fromRow(row: QuestionRow): TestQuestion {
  const { expects, origin, last_outcome: outcome } = kindSchema.parse(row);
  return {
    ...toExpectation(row),
    ...{ expects, origin },
    id: row.id,
    question: row.question,
    audience: row.audience,
    language: row.language,
    createdBy: row.created_by,
    createdAt: row.created_at,
    turns: parseTurns(row.turns),
    channel: row.channel ?? 'api',
    last: outcome && {
      ...{ outcome, because: row.last_because ?? '', answer: row.last_answer ?? '' },
      turns: parsePlayed(row.last_turns),
    },
  };
}

/** Returns the turns of a stored scripted customer; empty for a question. */
export function parseTurns(stored: unknown): readonly ScriptTurn[] {
  return z.array(scriptTurnSchema).parse(stored ?? []);
}

/** Returns the turns of a run as they were played; empty for a question. */
export function parsePlayed(stored: unknown): readonly PlayedTurn[] {
  return z.array(playedTurnSchema).parse(stored ?? []);
}

/** Returns what a stored question expects. */
export function toExpectation(
  row: Pick<Selectable<Tables['test_question']>, 'expects' | 'accepted' | 'said' | 'document_id' | 'section'>,
): Expectation {
  return {
    expects: kindSchema.shape.expects.parse(row.expects),
    accepted: row.accepted,
    said: row.said,
    documentId: row.document_id,
    section: row.section,
  };
}
