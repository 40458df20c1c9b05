import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { DocumentTable } from '../../storage/tables/knowledge-tables.ts';

export const documentStatuses = ['queued', 'indexing', 'indexed', 'failed'] as const;
/** Where a document came from. */
export const documentOrigins = ['file', 'text', 'page', 'demo', 'source', 'curated'] as const;
const originSchema = z.enum(documentOrigins).nullable().catch(null);
export type DocumentOrigin = (typeof documentOrigins)[number];

const statusSchema = z.enum([...documentStatuses, 'deleted']);

export interface DocumentRecord {
  readonly id: string;
  /** Numeric key that chunk rows refer to. */
  readonly number: number;
  readonly workspaceId: string;
  readonly title: string;
  readonly titleGiven: boolean;
  readonly url: string | null;
  readonly contentType: string | null;
  readonly fileName: string | null;
  readonly audience: readonly string[];
  readonly status: z.output<typeof statusSchema>;
  /** Indexing progress of the newest upload in per cent, 0 to 100. */
  readonly progress: number;
  readonly failure: { readonly code: string; readonly reason: string } | null;
  /** The revision that answers are drawn from; 0 until the first one is indexed. */
  readonly revision: number;
  readonly wantedRevision: number;
  readonly contentHash: string | null;
  readonly byteCount: number;
  readonly chunkCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly indexedAt: Date | null;
  /** Null if it is not known. */
  readonly origin: DocumentOrigin | null;
  /** The source that keeps it in step. */
  readonly sourceId: string | null;
}

export function toDocumentRecord(row: Selectable<DocumentTable>): DocumentRecord {
  return {
    id: row.id,
    number: row.number,
    workspaceId: row.workspace_id,
    title: row.title,
    titleGiven: row.title_given,
    url: row.url,
    contentType: row.content_type,
    fileName: row.file_name,
    audience: row.audience,
    status: statusSchema.parse(row.status),
    progress: row.progress,
    failure:
      row.failure_reason === null ? null : { code: row.failure_code ?? '', reason: row.failure_reason },
    revision: row.revision,
    wantedRevision: row.wanted_revision,
    contentHash: row.content_hash,
    byteCount: row.byte_count,
    chunkCount: row.chunk_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    indexedAt: row.indexed_at,
    origin: originSchema.parse(row.origin),
    sourceId: row.source_id,
  };
}
