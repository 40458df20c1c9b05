import type { FastifyReply } from 'fastify';
import type { DocumentRecord } from '../../../core/knowledge/document.ts';
import type { Documents } from '../../../core/knowledge/documents.ts';
import { whenIndexed } from '../../../core/knowledge/when-indexed.ts';

interface WaitOptions {
  readonly reply: FastifyReply;
  /** Aborted when the server drains: then the document is returned as it is. */
  readonly draining: AbortSignal;
}

/** The document once it is `indexed` or `failed`, or as it is when the caller leaves or the server drains. */
export async function waitForIndexing(
  documents: Documents,
  document: DocumentRecord,
  { reply, draining }: WaitOptions,
): Promise<DocumentRecord> {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  const enough = AbortSignal.any([left.signal, draining]);
  let latest = document;
  try {
    return await whenIndexed(documents, {
      workspaceId: document.workspaceId,
      documentId: document.id,
      onLook(current) {
        latest = current;
        enough.throwIfAborted();
      },
    });
  } catch (error) {
    if (enough.aborted) return latest;
    throw error;
  }
}
