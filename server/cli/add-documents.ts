import { showProgress } from '../../core/progress.ts';
import { type AddedDocument, addDocument, type Target } from './add-document.ts';
import { awaitIndexing, isSettled } from './await-indexing.ts';
import type { DocumentAnswer } from './document-answer.ts';
import type { Source } from './sources/source.ts';

export interface AddingOptions {
  /** Whether to wait until each is indexed or has failed. */
  readonly wait: boolean;
  /** Told once when the indexing does not move for long. */
  readonly onStandstill: () => void;
}

/** Adds the sources one after the other and says what became of each. */
export async function addDocuments(
  sources: readonly Source[],
  target: Target,
  options: AddingOptions,
): Promise<AddedDocument[]> {
  const added: AddedDocument[] = [];
  const progress = showProgress('Adding', sources.length);
  try {
    for (const source of sources) {
      target.signal.throwIfAborted();
      added.push(await addDocument(source, target));
      progress.update(added.length);
    }
  } finally {
    progress.stop();
  }
  return options.wait ? settle(added, target, options.onStandstill) : added;
}

async function settle(
  added: readonly AddedDocument[],
  target: Target,
  onStandstill: () => void,
): Promise<AddedDocument[]> {
  const latest = new Map<string, DocumentAnswer>();
  for (const { document } of added) if (document !== null) latest.set(document.id, document);
  const progress = showProgress('Indexing', latest.size === 1 ? 100 : latest.size);
  const onNews = (document: DocumentAnswer) => {
    latest.set(document.id, document);
    progress.update(measure([...latest.values()]));
  };
  try {
    await awaitIndexing([...latest.values()], { ...target, onNews, onStandstill });
  } finally {
    progress.stop();
  }
  return added.map(({ source, document, failure }) => {
    const settled = document === null ? undefined : latest.get(document.id);
    return settled === undefined
      ? { source, document, failure }
      : { source, document: settled, failure: settled.failure };
  });
}

/** Documents that are done, or of a single one the per cent. */
function measure(documents: readonly DocumentAnswer[]): number {
  const [first] = documents;
  return first !== undefined && documents.length === 1 ? first.progress : documents.filter(isSettled).length;
}
