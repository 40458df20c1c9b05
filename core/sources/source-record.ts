import type { Selectable } from 'kysely';
import { z } from 'zod';
import { type Fields, toFields } from '../base/fields.ts';
import type { SourceItemTable, SourceRunTable, SourceTable } from '../storage/tables/source-tables.ts';

/** `held`: nothing was replaced or removed, until an owner decides or a later run is plausible. */
export const runStates = ['queued', 'running', 'finished', 'failed', 'cancelled', 'held'] as const;
/** The states of a run that has not ended. */
export const openRunStates = ['queued', 'running'] as const satisfies readonly (typeof runStates)[number][];
export const runPhases = ['list', 'read', 'remove'] as const;
export const itemStates = ['waiting', 'current', 'skipped', 'failed', 'gone'] as const;

export const countNames = [
  'listed',
  'added',
  'changed',
  'unchanged',
  'gone',
  'removed',
  'skipped',
  'failed',
] as const;

/** Numbers of items: `gone` no longer exist, `removed` lost their documents. */
export type RunCounts = Readonly<Record<(typeof countNames)[number], number>>;

export const holdOutcomes = ['applied', 'discarded', 'released'] as const;
const holdOutcomeSchema = z.enum(holdOutcomes);
const runStateSchema = z.enum(runStates);
const itemStateSchema = z.enum(itemStates);

export interface RunRecord {
  readonly id: string;
  readonly sourceId: string;
  readonly number: number;
  readonly startedBy: string;
  /** Whether it reads every item, without conditions. */
  readonly isFull: boolean;
  /** Whether it reads nothing, and only cuts stored pages anew. */
  readonly isCut: boolean;
  /** Whether it reads only items that were named as changed. */
  readonly isPartial: boolean;
  readonly state: z.output<typeof runStateSchema>;
  /** Null if it is not going. */
  readonly phase: (typeof runPhases)[number] | null;
  readonly counts: RunCounts;
  /** Pages of a website that are linked, and named by neither its sitemap nor a feed. */
  readonly unlisted: number;
  /** Items that are listed and not read yet. */
  readonly waiting: number;
  readonly code: string | null;
  readonly reason: string | null;
  /** The end of a run that was held; null while it is. */
  readonly holdOutcome: z.output<typeof holdOutcomeSchema> | null;
  /** Set while the tool has asked the reader to wait. */
  readonly waitsUntil: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface SourceRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly kind: string;
  readonly settings: Fields;
  readonly hasCredentials: boolean;
  readonly audience: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxItems: number;
  readonly scheduleMinutes: number | null;
  readonly isPaused: boolean;
  readonly nextRunAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Set if the dates of its list are unreliable: since when, and a page that changed under the same date. */
  readonly lastmodDistrust: { readonly since: Date; readonly sample: string } | null;
}

export interface ItemRecord {
  readonly key: string;
  readonly url: string | null;
  readonly title: string | null;
  readonly state: z.output<typeof itemStateSchema>;
  readonly code: string | null;
  readonly reason: string | null;
  readonly documentId: string | null;
  /** The keys of items with the same text, which this document represents. */
  readonly aliases: readonly string[];
  readonly depth: number;
  readonly missingRuns: number;
  readonly readAt: Date | null;
}

export function toSourceRecord(row: Selectable<SourceTable>): SourceRecord {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    kind: row.kind,
    settings: toFields(row.settings),
    hasCredentials: row.credentials_encrypted !== null,
    audience: row.audience,
    include: row.include,
    exclude: row.exclude,
    maxItems: row.max_items,
    scheduleMinutes: row.schedule_minutes,
    isPaused: row.paused_at !== null,
    nextRunAt: row.paused_at === null ? row.next_run_at : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastmodDistrust: row.lastmod_distrusted_at && {
      since: row.lastmod_distrusted_at,
      sample: row.lastmod_sample ?? '',
    },
  };
}

/** `waiting` counts the items of a run in progress. */
export function toRunRecord(
  row: Selectable<SourceRunTable>,
  { waiting, now }: { readonly waiting: number; readonly now: Date },
): RunRecord {
  const { listed, added, changed, unchanged, gone, removed, skipped, failed } = row;
  const isOpen = row.finished_at === null;
  return {
    id: row.id,
    sourceId: row.source_id,
    number: row.number,
    startedBy: row.started_by,
    isFull: row.is_full,
    isCut: row.is_cut,
    isPartial: row.is_partial,
    state: runStateSchema.parse(row.state),
    phase: isOpen ? phaseOf(row) : null,
    counts: { listed, added, changed, unchanged, gone, removed, skipped, failed },
    unlisted: row.unlisted,
    waiting: isOpen ? waiting : 0,
    code: row.code,
    reason: row.reason,
    holdOutcome: holdOutcomeSchema.nullable().parse(row.hold_outcome),
    waitsUntil: isOpen && row.code !== null && row.wake_at > now ? row.wake_at : null,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

function phaseOf({ listed_at, settled_at }: Selectable<SourceRunTable>): (typeof runPhases)[number] {
  if (listed_at === null) return 'list';
  return settled_at === null ? 'read' : 'remove';
}

export function toItemRecord(
  row: Selectable<SourceItemTable> & { readonly aliases: readonly string[] },
): ItemRecord {
  return {
    key: row.key,
    url: row.url,
    title: row.title,
    state: itemStateSchema.parse(row.state),
    code: row.code,
    reason: row.reason,
    documentId: row.code === 'deleted_by_hand' ? null : row.document_id,
    aliases: row.aliases,
    depth: row.depth,
    missingRuns: row.missing_runs,
    readAt: row.read_at,
  };
}
