import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { showProgress } from '../../core/progress.ts';
import { CommandError } from './command-error.ts';
import { type Source, type SourceContent, SourceError } from './sources/source.ts';
import type { OperatorApi } from './transports/operator-api.ts';

/** What the API tells of a document. */
export const documentResponse = z.looseObject({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  progress: z.number(),
  chunks: z.number(),
  failure: z.object({ code: z.string(), reason: z.string() }).nullable(),
  updated_at: z.string(),
});

type DocumentResponse = z.output<typeof documentResponse>;

interface AddOptions {
  /** Whether to wait until each is indexed or has failed. */
  readonly wait: boolean;
  /** Told once when the indexing does not move for long. */
  readonly onStandstill: () => void;
}

/** Adds the sources one after the other and says what became of each. */
export async function addDocuments(
  sources: readonly Source[],
  target: UploadTarget,
  options: AddOptions,
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
  return options.wait ? waitUntilSettled(added, target, options.onStandstill) : added;
}

async function waitUntilSettled(
  added: readonly AddedDocument[],
  target: UploadTarget,
  onStandstill: () => void,
): Promise<AddedDocument[]> {
  const latest = new Map<string, DocumentResponse>();
  for (const { document } of added) if (document !== null) latest.set(document.id, document);
  const progress = showProgress('Indexing', latest.size === 1 ? 100 : latest.size);
  const onNews = (document: DocumentResponse) => {
    latest.set(document.id, document);
    progress.update(progressValue([...latest.values()]));
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
function progressValue(documents: readonly DocumentResponse[]): number {
  const [first] = documents;
  return first !== undefined && documents.length === 1 ? first.progress : documents.filter(isSettled).length;
}

/** What became of one source. */
export interface AddedDocument {
  readonly source: string;
  /** Null when it never became a document. */
  readonly document: DocumentResponse | null;
  readonly failure: { readonly code: string; readonly reason: string } | null;
}

interface UploadTarget {
  readonly api: OperatorApi;
  /** Of the workspace's documents in the API. */
  readonly path: string;
  readonly labels: DocumentLabels;
  readonly signal: AbortSignal;
}

/** Reads a source and hands it to the API. What is the source's own fault becomes a failure; the rest is thrown. */
async function addDocument(
  source: Source,
  { api, path, labels, signal }: UploadTarget,
): Promise<AddedDocument> {
  try {
    const content = await source.read(signal);
    const answer = await api.call('POST', path, { body: toDocumentForm(content, labels) });
    const document = documentResponse.parse(answer);
    return { source: source.name, document, failure: document.failure };
  } catch (error) {
    if (!(error instanceof SourceError) && !isDocumentError(error)) throw error;
    return { source: source.name, document: null, failure: { code: error.code, reason: error.message } };
  }
}

function isDocumentError(error: unknown): error is CommandError {
  const ownFaults = ['invalid_file', 'invalid_url', 'payload_too_large', 'unsupported_media_type'];
  return error instanceof CommandError && ownFaults.includes(error.code);
}

interface DocumentLabels {
  readonly title: string | undefined;
  readonly url: string | undefined;
  readonly audience: readonly string[];
}

/** A document as the API's form takes it: the fields first, then the file. */
function toDocumentForm(content: SourceContent, labels: DocumentLabels): FormData {
  const form = new FormData();
  const url = labels.url ?? content.url;
  if (labels.title !== undefined) form.append('title', labels.title);
  if (url !== null) form.append('url', url);
  for (const tag of labels.audience) form.append('audience', tag);
  form.append('file', new Blob([content.bytes], { type: content.contentType ?? '' }), content.fileName);
  return form;
}

interface IndexingWait {
  readonly api: OperatorApi;
  /** Of the workspace's documents in the API. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Told whenever something was learnt of a document. */
  readonly onNews: (document: DocumentResponse) => void;
  /** Told once when nothing has moved for long. */
  readonly onStandstill: () => void;
}

const pollMs = 200;
const stallMs = 60_000;
/** The queue is worked from its head: further back nothing happens yet. */
const polledAtOnce = 8;

/** Resolves when each of the documents is indexed or has failed. */
async function awaitIndexing(documents: readonly DocumentResponse[], waiting: IndexingWait): Promise<void> {
  let pending = documents.filter((document) => !isSettled(document));
  let movedAt = performance.now();
  let warned = false;
  while (pending.length > 0) {
    await wait(pollMs, undefined, { signal: waiting.signal });
    const before = pending;
    const watched = await Promise.all(
      pending.slice(0, polledAtOnce).map(({ id }) => loadDocument(id, waiting)),
    );
    watched.forEach(waiting.onNews);
    pending = [...watched.filter((document) => !isSettled(document)), ...pending.slice(polledAtOnce)];
    if (hasProgressed(before, pending)) movedAt = performance.now();
    if (!warned && performance.now() - movedAt > stallMs) {
      warned = true;
      waiting.onStandstill();
    }
  }
}

async function loadDocument(id: string, { api, path }: IndexingWait): Promise<DocumentResponse> {
  return documentResponse.parse(await api.call('GET', `${path}/${id}`));
}

function isSettled({ status }: DocumentResponse): boolean {
  return status === 'indexed' || status === 'failed';
}

function hasProgressed(before: readonly DocumentResponse[], after: readonly DocumentResponse[]): boolean {
  return (
    before.length !== after.length ||
    after.some(
      (document, at) => document.status !== before[at]?.status || document.progress !== before[at]?.progress,
    )
  );
}
