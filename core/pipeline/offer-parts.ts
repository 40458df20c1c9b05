import { sql, type Transaction } from 'kysely';
import type { OutboundPart } from '../contract/reply.ts';
import type { Tables } from '../storage/tables.ts';

/** Keeps parts of a message for who comes, or asks, for them, in the transaction that stored them. */
export async function offerParts(
  transaction: Transaction<Tables>,
  messageId: string,
  parts: readonly OutboundPart[],
): Promise<void> {
  const offered = parts.flatMap(({ collectedBy, onRequest }, part) => {
    const key = collectedBy ?? onRequest;
    return typeof key === 'string' ? [{ part, key, collected: collectedBy !== undefined }] : [];
  });
  if (offered.length === 0) return;
  await sql`select offer_parts(${messageId}, ${JSON.stringify(offered)}::jsonb)`.execute(transaction);
}
