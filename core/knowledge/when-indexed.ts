import { setTimeout as wait } from 'node:timers/promises';
import type { DocumentRecord } from './document.ts';
import type { Documents } from './documents.ts';

export interface IndexedRequest {
  readonly workspaceId: string;
  readonly documentId: string;
  /** After so long the document is returned as it is; ten minutes when absent. */
  readonly timeoutMs?: number;
  /** Hears of every look at the document. */
  readonly onLook?: (document: DocumentRecord) => void;
}

const firstPauseMs = 20;
const longestPauseMs = 250;

/**
 * The document once it is `indexed` or `failed`. Looks at the row, for any process may be the one that indexes it.
 * Throws `document_not_found` when it is deleted meanwhile.
 */
export async function whenIndexed(documents: Documents, request: IndexedRequest): Promise<DocumentRecord> {
  const deadline = performance.now() + (request.timeoutMs ?? 600_000);
  let pauseMs = firstPauseMs;
  for (;;) {
    const document = await documents.get(request.workspaceId, request.documentId);
    request.onLook?.(document);
    if (document.status === 'indexed' || document.status === 'failed') return document;
    if (performance.now() + pauseMs > deadline) return document;
    await wait(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
  }
}
