import { CommandError } from './command-error.ts';
import { type DocumentAnswer, documentAnswer } from './document-answer.ts';
import { type DocumentLabels, documentForm } from './document-form.ts';
import type { Source } from './sources/source.ts';
import { SourceError } from './sources/source-error.ts';
import type { OperatorApi } from './transports/operator-api.ts';

/** What became of one source. */
export interface AddedDocument {
  readonly source: string;
  /** Null when it never became a document. */
  readonly document: DocumentAnswer | null;
  readonly failure: { readonly code: string; readonly reason: string } | null;
}

export interface Target {
  readonly api: OperatorApi;
  /** Of the workspace's documents in the API. */
  readonly path: string;
  readonly labels: DocumentLabels;
  readonly signal: AbortSignal;
}

/** Reads a source and hands it to the API. What is the source's own fault becomes a failure; the rest is thrown. */
export async function addDocument(
  source: Source,
  { api, path, labels, signal }: Target,
): Promise<AddedDocument> {
  try {
    const content = await source.read(signal);
    const answer = await api.call('POST', path, { body: documentForm(content, labels) });
    const document = documentAnswer.parse(answer);
    return { source: source.name, document, failure: document.failure };
  } catch (error) {
    if (!(error instanceof SourceError) && !isOwnFault(error)) throw error;
    return { source: source.name, document: null, failure: { code: error.code, reason: error.message } };
  }
}

function isOwnFault(error: unknown): error is CommandError {
  const ownFaults = ['invalid_file', 'invalid_url', 'payload_too_large', 'unsupported_media_type'];
  return error instanceof CommandError && ownFaults.includes(error.code);
}
