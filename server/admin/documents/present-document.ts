import type { z } from 'zod';
import type { DocumentRecord } from '../../../core/knowledge/document.ts';
import type { documentSchema } from './document-schema.ts';

export function presentDocument(document: DocumentRecord): z.output<typeof documentSchema> {
  return {
    id: document.id,
    workspace_id: document.workspaceId,
    title: document.title,
    url: document.url,
    file_name: document.fileName,
    content_type: document.contentType,
    audience: [...document.audience],
    status: document.status,
    progress: document.progress,
    failure: document.failure,
    bytes: document.byteCount,
    chunks: document.chunkCount,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    indexed_at: document.indexedAt?.toISOString() ?? null,
  };
}
