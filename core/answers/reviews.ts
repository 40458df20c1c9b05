import type { Kysely } from 'kysely';
import { z } from 'zod';
import { writeAuditEntries } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Actor } from '../contract/actor.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** `not_ours`: the question is not one that the documents should answer. */
export const verdictSchema = z.enum(['right', 'wrong', 'not_ours']);
export type Verdict = z.output<typeof verdictSchema>;

/** A person's judgement of an answer. */
export interface Review {
  readonly verdict: Verdict;
  readonly reviewer: string;
  readonly at: Date;
}

interface ReviewedAnswer {
  readonly workspaceId: string;
  readonly messageId: string;
  /** Null takes the judgement back. */
  readonly verdict: Verdict | null;
  readonly reviewer: Actor;
}

/**
 * Stores a person's judgement of an answer, in the place of an earlier one, with its audit entry. The same judgement again changes
 * nothing. Throws `message_not_found`.
 */
export async function reviewAnswer(
  { database, clock }: { readonly database: Kysely<Tables>; readonly clock: Clock },
  { workspaceId, messageId, verdict, reviewer }: ReviewedAnswer,
): Promise<Review | null> {
  const at = clock.now();
  return database.transaction().execute(async (transaction) => {
    // Its conversation is locked, as the audit entry changes it and a deletion takes its messages along.
    const answer = await transaction
      .selectFrom('conversation')
      .innerJoin('message', 'message.conversation_id', 'conversation.id')
      .select('conversation.id as conversation_id')
      .where('message.id', '=', messageId)
      .where('message.workspace_id', '=', workspaceId)
      .where('conversation.workspace_id', '=', workspaceId)
      .where('message.role', '=', 'assistant')
      .where('message.purpose', 'is', null)
      .forNoKeyUpdate(['conversation'])
      .executeTakeFirst();
    if (answer === undefined) throw new AppError('message_not_found');
    const before = await findReview(transaction, { workspaceId, messageId });
    if ((before?.verdict ?? null) === verdict) return before;
    await storeReview(transaction, { workspaceId, messageId, verdict, reviewer, at });
    const target = { id: answer.conversation_id, workspaceId, actor: reviewer, at };
    const details = { message_id: messageId, from: before?.verdict ?? null, to: verdict };
    await writeAuditEntries(transaction, target, [{ action: 'answer_reviewed', details }]);
    return verdict && { verdict, reviewer: reviewer.name, at };
  });
}

async function storeReview(
  transaction: Kysely<Tables>,
  { workspaceId, messageId, verdict, reviewer, at }: ReviewedAnswer & { readonly at: Date },
): Promise<void> {
  await transaction
    .deleteFrom('answer_review')
    .where('message_id', '=', messageId)
    .where('workspace_id', '=', workspaceId)
    .execute();
  if (verdict === null) return;
  const person = { reviewer: reviewer.name, person_id: reviewer.id };
  await transaction
    .insertInto('answer_review')
    .values({ message_id: messageId, workspace_id: workspaceId, verdict, ...person, at })
    .execute();
}

/** Returns the judgement of an answer; null if nobody judged it. */
export async function findReview(
  database: Kysely<Tables>,
  { workspaceId, messageId }: Pick<ReviewedAnswer, 'workspaceId' | 'messageId'>,
): Promise<Review | null> {
  const row = await database
    .selectFrom('answer_review')
    .select(['verdict', 'reviewer', 'at'])
    .where('message_id', '=', messageId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, verdict: verdictSchema.parse(row.verdict) };
}
