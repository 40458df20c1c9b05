import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Attachment } from '../contract/inbound-event.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { secondsUntil } from '../limits/seconds-until.ts';
import type { Tables } from '../storage/tables.ts';
import { attachmentOf } from './attachment-of.ts';
import { fileLimits } from './file-limits.ts';
import { fileName } from './file-name.ts';
import { fileTypeOf } from './file-type-of.ts';
import type { Visitor } from './visitor.ts';

interface Stores {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Keeps a file until its visitor sends it; its id is the `reference`. Throws `unsupported_media_type`, `rate_limit_day`
 * and `too_many_files`.
 */
export async function keepFile(
  { database, clock }: Stores,
  visitor: Visitor,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<Attachment> {
  const type = await fileTypeOf(bytes);
  if (type === null) {
    throw new AppError('unsupported_media_type', {
      detail: 'Pictures (PNG, JPEG, GIF, WebP), PDF and plain text are taken, and nothing else.',
    });
  }
  const row = {
    id: newId('file'),
    workspace_id: visitor.workspaceId,
    visitor_id: visitor.id,
    name: fileName(name, type),
    content_type: type.contentType,
    size: bytes.byteLength,
    bytes: Buffer.from(bytes),
    created_at: clock.now(),
  };
  await database.kysely.transaction().execute(async (transaction) => {
    // One at a time of a workspace: what is counted below holds until it is kept.
    await sql`select from workspace where id = ${visitor.workspaceId} for no key update`.execute(transaction);
    await requireRoom(transaction, visitor, { size: row.size, now: row.created_at });
    await transaction.insertInto('visitor_file').values(row).execute();
  });
  return attachmentOf(row);
}

async function requireRoom(
  database: Kysely<Tables>,
  { id, workspaceId }: Visitor,
  { size, now }: { readonly size: number; readonly now: Date },
): Promise<void> {
  const { rows } = await sql<{ bytes: number; today: number; first: Date | null }>`
    select
      (select coalesce(sum(size), 0)::float8 from visitor_file where workspace_id = ${workspaceId}) as bytes,
      count(*)::int as today,
      min(created_at) as first
    from visitor_file
    where visitor_id = ${id} and workspace_id = ${workspaceId} and created_at > ${new Date(now.getTime() - dayMs)}
  `.execute(database);
  const [{ bytes, today, first } = { bytes: 0, today: 0, first: null }] = rows;
  if (today >= fileLimits.ofVisitorADay && first !== null) {
    throw new AppError('rate_limit_day', {
      detail: `At most ${fileLimits.ofVisitorADay} files in 24 hours.`,
      retryAfterSeconds: secondsUntil(new Date(first.getTime() + dayMs), now),
    });
  }
  if (bytes + size > fileLimits.bytesOfWorkspace) throw new AppError('too_many_files');
}
