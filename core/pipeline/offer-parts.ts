import { sql, type Transaction } from 'kysely';
import type { OutboundPart } from '../contract/reply.ts';
import type { Tables } from '../storage/tables.ts';

/** Keeps those of a message for the platform that the platform comes for, in the transaction that stored them. */
export async function offerParts(
  transaction: Transaction<Tables>,
  messageId: string,
  parts: readonly OutboundPart[],
): Promise<void> {
  const offered = parts.flatMap(({ collectedBy }, part) =>
    collectedBy === undefined ? [] : [{ part, key: collectedBy }],
  );
  if (offered.length === 0) return;
  await sql`select offer_parts(${messageId}, ${JSON.stringify(offered)}::jsonb)`.execute(transaction);
}
