import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Documents } from '../../knowledge/documents/documents.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import { assessRun, type Hold, holdRun, holdSchema, releaseHold } from '../holds/judge-run.ts';
import { publishChange } from '../holds/publish-changes.ts';
import { cutItems, noteAllCut } from '../ledger/cut-items.ts';
import { dropUnusedTrees } from '../ledger/page-trees.ts';
import { startNoticeRun } from '../notices/notice-rows.ts';
import { readNotices } from '../notices/read-notices.ts';
import { StoredPageMemory } from '../page-memory.ts';
import { countMissing, removeDocuments } from '../source-documents.ts';
import type { AnySourceKind } from '../source-kinds.ts';
import { SourceError, type SourceReader, type SourceTools } from '../source-reader.ts';
import { countNames } from '../source-record.ts';
import { openTools, type ToolParts, withoutSecrets } from '../source-tools.ts';
import { openCredentials } from '../source-values.ts';
import type { SiteSessions } from '../website/requests/site-session.ts';
import { type HeldRun, RunLostError, reserveRun, type SourceRow } from './held-run.ts';
import { listDoubtfulItems, listMissingItems } from './list-items.ts';
import { keepFeed, listNextPage } from './list-source.ts';
import { ReadAhead } from './read-ahead.ts';
import { readItem } from './read-items.ts';
import type { RunRow } from './run-queue.ts';
import type { OpenRun } from './settle-item.ts';

export interface RunDependencies extends ToolParts {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly documents: Pick<Documents, 'add' | 'delete'>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'sources'>;
  readonly secretBox: SecretBox;
  readonly kinds: readonly AnySourceKind[];
  /** Wakes workers for the webhook event of a run that is held. */
  readonly scheduleDeliveries?: ScheduleDeliveries;
  /** Keeps cookies and the pace of a run from one slice to the next; each slice has its own if absent. */
  readonly sessions?: SiteSessions;
  /** Queues the next slice of a run. */
  readonly wake: (
    run: Pick<RunRow, 'id' | 'slice'>,
    options?: { readonly delayMs?: number; readonly again?: boolean },
  ) => Promise<void>;
  /** The time for which a slice works until others have their turns; 20 seconds if absent. */
  readonly sliceMs?: number;
}

const SLICE_MS = 20_000;
/** A run that takes longer ends, so that a list without an end does too. */
const LONGEST_RUN_MS = 24 * 3_600_000;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 6 * 3_600_000;

/**
 * Works on a run for one slice, then queues it again behind others, until it is finished. Rejects only if the database
 * fails: the same slice is then tried again. When `stopping` aborts, the next process continues.
 */
export async function runSlice(
  dependencies: RunDependencies,
  job: { readonly runId: string; readonly slice: number },
  stopping: AbortSignal,
): Promise<void> {
  const reserved = await reserveRun(dependencies, job);
  if (reserved.kind === 'nothing-to-do') return;
  if (reserved.kind === 'later') {
    const { slice, delayMs } = reserved;
    return dependencies.wake({ id: job.runId, slice }, { delayMs, again: true });
  }
  await new Slice(dependencies, reserved, stopping).work();
}

interface Held {
  readonly run: HeldRun;
  readonly source: SourceRow;
}

class Slice {
  readonly #dependencies: RunDependencies;
  readonly #held: HeldRun;
  readonly #source: SourceRow;
  readonly #stopping: AbortSignal;
  readonly #signal: AbortSignal;
  #endsAt: number | null = null;
  #credentials: unknown = {};

  constructor(dependencies: RunDependencies, { run, source }: Held, stopping: AbortSignal) {
    this.#dependencies = dependencies;
    this.#held = run;
    this.#source = source;
    this.#stopping = stopping;
    this.#signal = AbortSignal.any([stopping, run.lost]);
  }

  async work(): Promise<void> {
    try {
      const isFinished = await this.#progress();
      await (isFinished ? this.#finish() : this.#continue(0));
    } catch (error) {
      if (error instanceof RunLostError || this.#held.lost.aborted) await this.#held.release({});
      else if (this.#stopping.aborted) await this.#continue(0);
      else if (error instanceof SourceError) await this.#onSourceError(error);
      else {
        await this.#held.release({});
        throw error;
      }
    }
  }

  /** Returns true when nothing is left to do, and false at the end of the slice. */
  async #progress(): Promise<boolean> {
    if (this.#held.row.settled_at === null && !(await this.#read())) return false;
    if (this.#held.row.verdict === null) {
      // A change that was named does not wait for all pages to be cut anew.
      if (!this.#held.row.is_partial && !(await this.#cut())) return false;
      await this.#judge();
    }
    if (this.#held.row.verdict === 'held') return true;
    const parts = this.#parts();
    while (await publishChange(parts)) if (this.#isOver()) return false;
    while ((await removeDocuments(parts)) > 0) if (this.#isOver()) return false;
    return true;
  }

  /** Lists and reads all items. */
  async #read(): Promise<boolean> {
    const open = this.#open();
    this.#requireAge();
    if (this.#held.row.is_partial) return readNotices(open, () => this.#isOver());
    while (this.#held.row.listed_at === null) {
      if (this.#isOver()) return false;
      await listNextPage(open, this.#signal);
    }
    const ahead = new ReadAhead(open);
    while (this.#held.row.settled_at === null) {
      const isOver = this.#isOver();
      const item = await ahead.next({ begins: !isOver });
      if (item !== undefined) await readItem(open, item);
      else if (isOver) return false;
      else await this.#settle(open);
      await yieldToOthers();
    }
    return true;
  }

  /** Cuts anew what was cut by less than is known now. It needs no credentials that still work. */
  async #cut(): Promise<boolean> {
    return cutItems(this.#open(), () => this.#isOver());
  }

  /** Decides once and for all processes whether what was read replaces and removes documents. */
  async #judge(): Promise<void> {
    const now = this.#dependencies.clock.now();
    let deliveries: readonly string[] = [];
    await this.#held.settle(async (transaction) => {
      const run = this.#held.row;
      const { hold, effect } = await assessRun(transaction, run);
      const set = { effect: run.is_partial ? JSON.stringify(effect) : null };
      if (!run.is_partial) await noteAllCut(transaction, this.#source);
      if (hold === null) {
        // A few changes say nothing about a whole run that is held.
        if (!run.is_partial) await releaseHold(transaction, run);
        return { set: { ...set, verdict: 'plausible' } };
      }
      deliveries = await holdRun(transaction, { run, hold, now });
      const outcome = run.is_partial && this.#source.held_run !== null ? 'released' : null;
      return { set: { ...set, hold_outcome: outcome, verdict: 'held', hold: JSON.stringify(hold) } };
    });
    this.#dependencies.scheduleDeliveries?.(deliveries);
  }

  /** The time counts from the first check, so that a slice that took long to open its source still gets further. */
  #isOver(): boolean {
    this.#signal.throwIfAborted();
    this.#endsAt ??= performance.now() + (this.#dependencies.sliceMs ?? SLICE_MS);
    return performance.now() >= this.#endsAt;
  }

  #requireAge(): void {
    const { started_at: startedAt, created_at: createdAt } = this.#held.row;
    const age = this.#dependencies.clock.now().getTime() - (startedAt ?? createdAt).getTime();
    if (age > LONGEST_RUN_MS) throw new SourceError('took_too_long', 'The run was not done after a day.');
  }

  /** Throws a SourceError if the source is not set up. */
  #open(): OpenRun {
    const { database, log, clock, secretBox, kinds, sessions } = this.#dependencies;
    const source = this.#source;
    const kind = findKind(kinds, source.kind);
    const credentials = readCredentials(secretBox, source);
    this.#credentials = credentials;
    const tools = openTools(this.#dependencies, {
      ...source,
      workspaceId: source.workspace_id,
      signal: this.#signal,
      memory: new StoredPageMemory({ database, clock }, this.#held.row),
      ...(sessions !== undefined && { session: sessions.open(this.#held.row.id) }),
    });
    return {
      ...{ ...this.#parts(), log, credentials },
      reader: openReader(kind, { settings: source.settings, credentials }, tools),
      isWanted: tools.isWanted,
      now: () => clock.now(),
      signal: this.#signal,
    };
  }

  #parts(): Pick<OpenRun, 'database' | 'documents' | 'held' | 'source'> {
    const { database, documents } = this.#dependencies;
    return { database, documents, held: this.#held, source: this.#source };
  }

  async #settle({ reader, now }: OpenRun): Promise<void> {
    const run = this.#held.row;
    await this.#held.settle(async (transaction) => {
      const doubtful = run.is_whole ? 0 : await listDoubtfulItems(transaction, run);
      if (doubtful > 0) return { counts: { listed: doubtful } };
      const isConfirmed = run.is_whole && reader.isComplete && reader.confirmsMissing === true;
      const missing = isConfirmed && !hasFoundNothing(run) ? await listMissingItems(transaction, run) : 0;
      if (missing > 0) return { counts: { listed: missing } };
      const gone = hasFoundNothing(run)
        ? 0
        : await countMissing(transaction, { run, isComplete: reader.isComplete });
      return { counts: { gone }, set: { settled_at: now() } };
    });
  }

  async #finish(): Promise<void> {
    const run = this.#held.row;
    if (run.verdict !== 'held') {
      await keepFeed(this.#held);
      return this.#end({ state: 'finished', ...noteOn(run, this.#source) });
    }
    const reason = describeHold(holdSchema.parse(run.hold));
    await this.#end({ state: 'held', code: 'implausible', reason });
  }

  async #continue(delayMs: number, because: { readonly code?: string; readonly reason?: string } = {}) {
    const { clock, wake } = this.#dependencies;
    const { id, slice } = this.#held.row;
    const next = { slice: slice + 1, wake_at: new Date(clock.now().getTime() + delayMs) };
    if (!(await this.#held.release({ ...next, ...because }))) return;
    await wake({ id, slice: next.slice }, { delayMs });
  }

  async #onSourceError({ code, message, retryAfterMs }: SourceError): Promise<void> {
    const reason = withoutSecrets(message, this.#credentials);
    if (retryAfterMs === undefined) {
      await this.#publishRead();
      return this.#end({ state: 'failed', code, reason });
    }
    const delayMs = Math.min(Math.max(retryAfterMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
    const { id } = this.#held.row;
    this.#dependencies.log.info(
      { source: this.#source.id, run: id, code, seconds: Math.round(delayMs / 1_000) },
      'source run waits',
    );
    await this.#continue(delayMs, { code, reason });
  }

  /** A run that fails midway publishes its plausible changes, and removes nothing. */
  async #publishRead(): Promise<void> {
    const run = this.#held.row;
    if (run.verdict !== null || this.#source.held_run !== null) return;
    const transaction = this.#dependencies.database.transaction();
    const { hold } = await transaction.execute((inner) => assessRun(inner, run));
    while (hold === null && (await publishChange(this.#parts()))) this.#signal.throwIfAborted();
  }

  /** Items that were named as changed meanwhile are read by a run of their own. */
  async #startNext(): Promise<void> {
    const { database, clock, wake } = this.#dependencies;
    const next = await startNoticeRun(database, { sourceId: this.#source.id, now: clock.now() });
    if (next !== null) await wake(next);
  }

  async #end(end: {
    readonly state: 'finished' | 'failed' | 'held';
    readonly code: string | null;
    readonly reason: string | null;
  }): Promise<void> {
    const { clock, log, metrics } = this.#dependencies;
    const now = clock.now();
    if (!(await this.#held.release({ ...end, finished_at: now }))) return;
    const run = this.#held.row;
    await this.#dependencies.database
      .transaction()
      .execute((transaction) => dropUnusedTrees(transaction, run.workspace_id));
    if (run.is_partial) await this.#startNext();
    const counts = Object.fromEntries(countNames.map((name) => [name, run[name]]));
    metrics.sources.ended({ kind: this.#source.kind, state: end.state }, counts);
    const startedAt = run.started_at ?? run.created_at;
    log.info(
      {
        ...{ workspace: run.workspace_id, source: run.source_id, run: run.id, kind: this.#source.kind },
        ...{ code: end.code, ...counts, seconds: Math.round((now.getTime() - startedAt.getTime()) / 1_000) },
      },
      `source run ${end.state}`,
    );
  }
}

function describeHold({ removed, changed, kept }: Hold): string {
  return `It would remove ${removed} documents, change ${changed} and keep ${kept}, which is more than a site usually loses at once. Nothing was removed or replaced: apply or discard it, or correct the site. A later run that is plausible ends this by itself.`;
}

function hasFoundNothing({ added, changed, unchanged }: RunRow): boolean {
  return added + changed + unchanged === 0;
}

/** Returns what people should know about a finished run. */
function noteOn(run: RunRow, { max_items: most }: SourceRow) {
  if (run.is_cut || run.is_partial) return { code: null, reason: null };
  if (hasFoundNothing(run)) {
    return {
      code: 'nothing_found',
      reason: 'Nothing could be read, so nothing was removed. Check the settings and the patterns.',
    };
  }
  if (run.is_whole) return { code: null, reason: null };
  if (run.listed < most) {
    return {
      code: 'list_cut',
      reason:
        'The source has more than Parley could list: the items that were left out say why. Nothing that its list lacks was removed. Split it into several sources if it is too large.',
    };
  }
  const limit = most.toLocaleString('en');
  return {
    code: 'too_many_items',
    reason: `The source has more than ${limit} items. The others were left out: raise the limit, or exclude some.`,
  };
}

function findKind(kinds: readonly AnySourceKind[], name: string): AnySourceKind {
  const kind = kinds.find((one) => one.kind === name);
  const missing = kind === undefined ? `There is no kind of source "${name}".` : kind.unavailable;
  if (kind === undefined || missing !== undefined) {
    throw new SourceError('source_kind_unavailable', missing ?? 'The kind is not available.');
  }
  return kind;
}

function readCredentials(secretBox: SecretBox, { id, credentials_encrypted: sealed }: SourceRow) {
  try {
    return openCredentials(secretBox, id, sealed);
  } catch (cause) {
    const message = 'The credentials cannot be decrypted. Enter them again.';
    throw new SourceError('unreadable_credentials', message, { cause });
  }
}

function openReader(
  kind: AnySourceKind,
  { settings, credentials }: { readonly settings: unknown; readonly credentials: unknown },
  tools: SourceTools,
): SourceReader {
  const values = z
    .object({ settings: kind.settings, credentials: kind.credentials })
    .safeParse({ settings, credentials });
  if (values.success) return kind.open(values.data, tools);
  const field = values.error.issues[0]?.path.join('.') ?? 'settings';
  throw new SourceError(
    'invalid_settings',
    `${field} is not valid any more. Change it and run the source again.`,
  );
}
