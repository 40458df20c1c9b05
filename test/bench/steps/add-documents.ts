import { waitUntilIndexed } from '../../../core/knowledge/documents/documents.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { BenchError } from '../bench-error.ts';
import type { Corpus } from '../corpus/corpus.ts';

interface Adding {
  readonly workspaceId: string;
  /** Index of the first chunk in the corpus. */
  readonly first: number;
  /** The approximate number: the product decides how a document is cut. */
  readonly chunks: number;
}

interface Added {
  readonly chunks: number;
  readonly characters: number;
  /** As `performance.now()`. */
  readonly finishedAt: number;
}

const chunksPerDocument = 20;

/** Uploads plain texts and waits until the last of them is found. */
export async function addDocuments({ documents }: Runtime, corpus: Corpus, adding: Adding): Promise<Added> {
  const { workspaceId, first, chunks } = adding;
  const ids: string[] = [];
  let characters = 0;
  for (let start = first; start < first + chunks; start += chunksPerDocument) {
    const bodies = Array.from(
      { length: chunksPerDocument },
      (_, offset) => corpus.chunk(start + offset).body,
    );
    const text = bodies.join('\n\n');
    characters += text.length;
    const document = await documents.add({
      workspaceId,
      bytes: Buffer.from(text),
      title: corpus.chunk(start).title,
      fileName: `guide-${start}.txt`,
      contentType: 'text/plain',
    });
    ids.push(document.id);
  }
  let indexed = 0;
  for (const documentId of ids) {
    const { status, chunkCount, failure } = await waitUntilIndexed(documents, { workspaceId, documentId });
    if (status !== 'indexed')
      throw new BenchError(`a document is ${status}: ${failure?.reason ?? 'it took too long'}`);
    indexed += chunkCount;
  }
  return { chunks: indexed, characters, finishedAt: performance.now() };
}
