import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { type DecisionRecord, decisionRecordSchema } from '../../contract/answer.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Turn } from './turn.ts';

interface WantedAnswer {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly messageId: string;
}

/**
 * Returns how an answer was decided. Null for canned replies, and after the visitor edited or deleted an earlier
 * message. Throws `message_not_found`.
 */
export async function findDecision(
  database: Kysely<Tables>,
  { workspaceId, conversationId, messageId }: WantedAnswer,
): Promise<DecisionRecord | null> {
  const row = await database
    .selectFrom('message')
    .select('decision')
    .where('id', '=', messageId)
    .where('conversation_id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'assistant')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('message_not_found');
  return storedDecisionSchema.parse(row.decision);
}

/** Canned replies, and those whose record was removed, keep the disclosure alone. */
export const storedDecisionSchema = z
  .union([decisionRecordSchema, z.object({ disclosure: z.string() }).transform(() => null)])
  .nullable();

/** Returns what is stored of the decision about an answer: its record, and the disclosure that goes out before it. Pure. */
export function toStoredDecision({ decision, disclosure = null }: Pick<Turn, 'decision' | 'disclosure'>) {
  return disclosure === null ? decision : { ...decision, disclosure };
}

/** The disclosure that went out before an answer, as `messageFromRow` reads it; select it together with `messageColumns`. */
export const messageDisclosure = sql<string | null>`message.decision ->> 'disclosure'`.as('disclosure');

/** The stored decision without its record: the disclosure alone, if there was one. */
export const withoutRecord = sql<string | null>`
  case when decision ->> 'disclosure' is not null then jsonb_build_object('disclosure', decision -> 'disclosure') end
`;
