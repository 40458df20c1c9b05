import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { showProgress } from '../../core/base/progress.ts';
import { CommandError } from './command-error.ts';
import { type Source, type SourceContent, SourceError } from './sources/source.ts';
import type { OperatorApi } from './transports/operator-api.ts';

/** The fields of a document in responses of the API. */
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
  /** Whether to wait until each document is indexed or has failed. */
  readonly wait: boolean;
  /** Called once if indexing makes no progress for a minute. */
  readonly onStandstill: () => void;
}

/** Adds the sources one after the other and returns the outcome of each. */
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
  const onUpdate = (document: DocumentResponse) => {
    latest.set(document.id, document);
    progress.update(progressValue([...latest.values()]));
  };
  try {
    await awaitIndexing([...latest.values()], { ...target, onUpdate, onStandstill });
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

/** Returns the number of finished documents, or the percentage of a single document. */
function progressValue(documents: readonly DocumentResponse[]): number {
  const [first] = documents;
  return first !== undefined && documents.length === 1 ? first.progress : documents.filter(isSettled).length;
}

/** The outcome of one source. */
export interface AddedDocument {
  readonly source: string;
  /** Null if the source did not become a document. */
  readonly document: DocumentResponse | null;
  readonly failure: { readonly code: string; readonly reason: string } | null;
}

interface UploadTarget {
  readonly api: OperatorApi;
  /** The API path of the workspace's documents. */
  readonly path: string;
  readonly labels: DocumentLabels;
  readonly signal: AbortSignal;
}

/**
 * Reads a source and sends it to the API. An error of the source itself is returned as a failure; other
 * errors are thrown.
 */
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

/** Builds the form of a document: the API requires the fields before the file. */
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
  /** The API path of the workspace's documents. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Receives each new state of a document. */
  readonly onUpdate: (document: DocumentResponse) => void;
  /** Called once if nothing has progressed for a minute. */
  readonly onStandstill: () => void;
}

const pollMs = 200;
const stallMs = 60_000;
/** The queue is processed in order, so documents further back do not change yet. */
const polledDocuments = 8;

/** Resolves when each document is indexed or has failed. */
async function awaitIndexing(documents: readonly DocumentResponse[], waiting: IndexingWait): Promise<void> {
  let pending = documents.filter((document) => !isSettled(document));
  let movedAt = performance.now();
  let warned = false;
  while (pending.length > 0) {
    await wait(pollMs, undefined, { signal: waiting.signal });
    const before = pending;
    const watched = await Promise.all(
      pending.slice(0, polledDocuments).map(({ id }) => loadDocument(id, waiting)),
    );
    watched.forEach(waiting.onUpdate);
    pending = [...watched.filter((document) => !isSettled(document)), ...pending.slice(polledDocuments)];
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
