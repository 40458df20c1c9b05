import { setTimeout as wait } from 'node:timers/promises';
import { type DocumentAnswer, documentAnswer } from './document-answer.ts';
import type { OperatorApi } from './transports/operator-api.ts';

export interface Waiting {
  readonly api: OperatorApi;
  /** Of the workspace's documents in the API. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Told whenever something was learnt of a document. */
  readonly onNews: (document: DocumentAnswer) => void;
  /** Told once when nothing has moved for long. */
  readonly onStandstill: () => void;
}

const pollMs = 200;
const standstillMs = 60_000;
/** The queue is worked from its head: further back nothing happens yet. */
const watchedAtOnce = 8;

/** Resolves when each of the documents is indexed or has failed. */
export async function awaitIndexing(documents: readonly DocumentAnswer[], waiting: Waiting): Promise<void> {
  let pending = documents.filter((document) => !isSettled(document));
  let movedAt = performance.now();
  let warned = false;
  while (pending.length > 0) {
    await wait(pollMs, undefined, { signal: waiting.signal });
    const before = pending;
    const watched = await Promise.all(pending.slice(0, watchedAtOnce).map(({ id }) => read(id, waiting)));
    watched.forEach(waiting.onNews);
    pending = [...watched.filter((document) => !isSettled(document)), ...pending.slice(watchedAtOnce)];
    if (hasMoved(before, pending)) movedAt = performance.now();
    if (!warned && performance.now() - movedAt > standstillMs) {
      warned = true;
      waiting.onStandstill();
    }
  }
}

async function read(id: string, { api, path }: Waiting): Promise<DocumentAnswer> {
  return documentAnswer.parse(await api.call('GET', `${path}/${id}`));
}

export function isSettled({ status }: DocumentAnswer): boolean {
  return status === 'indexed' || status === 'failed';
}

function hasMoved(before: readonly DocumentAnswer[], after: readonly DocumentAnswer[]): boolean {
  return (
    before.length !== after.length ||
    after.some(
      (document, at) => document.status !== before[at]?.status || document.progress !== before[at]?.progress,
    )
  );
}
