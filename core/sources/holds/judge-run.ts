import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../storage/tables/tables.ts';
import { findQueuedDeliveries } from '../../webhooks/event-transaction.ts';
import type { RunRow } from '../runs/run-queue.ts';
import { selectUnintendedRemovals } from '../source-documents.ts';
import { brakeRules, isShrunk, judgeRun, type RunEffect } from './brake.ts';
import { dropChanges, dropChangesBy } from './withheld-changes.ts';

const MOST_SAMPLES = 20;

const sampleSchema = z.object({
  effect: z.enum(['removed', 'changed']),
  documentId: z.string().nullable(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  /** Characters of text. */
  before: z.number().nullable(),
  after: z.number().nullable(),
});

/** The changes that a held run would publish. */
export const holdSchema = z.object({
  rules: z.array(z.enum(brakeRules)),
  removed: z.number(),
  changed: z.number(),
  kept: z.number(),
  samples: z.array(sampleSchema).max(MOST_SAMPLES),
});

export type Hold = z.output<typeof holdSchema>;

const effectSchema = z.object({
  ...{ documents: z.number(), removed: z.number(), changed: z.number() },
  ...{ shrunk: z.number(), alike: z.number() },
});

interface Assessment {
  readonly effect: RunEffect;
  /** The changes of an implausible run; null for a plausible one. */
  readonly hold: Hold | null;
}

export async function assessRun(transaction: Transaction<Tables>, run: RunRow): Promise<Assessment> {
  const [{ documents }, { removed }, changes] = await Promise.all([
    transaction
      .selectFrom('source_item')
      .select(sql<number>`count(*)::int`.as('documents'))
      .where('source_id', '=', run.source_id)
      .where('document_id', 'is not', null)
      .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
      .executeTakeFirstOrThrow(),
    selectUnintendedRemovals(transaction, run)
      .select(sql<number>`count(*)::int`.as('removed'))
      .executeTakeFirstOrThrow(),
    findChanges(transaction, run),
  ]);
  const effect: RunEffect = {
    ...{ documents, removed, changed: changes.length },
    shrunk: changes.filter(({ size_before, size }) => isShrunk({ before: size_before, after: size })).length,
    alike: countAlike(changes),
  };
  const rules = judgeRun(
    run.is_partial ? sumEffects([effect, ...(await findEarlier(transaction, run))]) : effect,
  );
  if (rules.length === 0) return { effect, hold: null };
  const kept = Math.max(0, documents - removed - changes.length);
  const samples = await takeSamples(transaction, run, changes);
  return { effect, hold: { rules: [...rules], removed, changed: changes.length, kept, samples } };
}

/** A day: a broken tool removes everything in less time, and people who tidy up a source take longer. */
const EARLIER_MS = 24 * 3_600_000;

/** Returns what the runs of changes did since the last whole run: a site may lose its pages one notice after the other. */
async function findEarlier(transaction: Transaction<Tables>, run: RunRow): Promise<readonly RunEffect[]> {
  const rows = await transaction
    .selectFrom('source_run')
    .select('effect')
    .where('source_id', '=', run.source_id)
    .where('is_partial', '=', true)
    .where('verdict', '=', 'plausible')
    .where('number', '<>', run.number)
    .where('created_at', '>', new Date(run.created_at.getTime() - EARLIER_MS))
    .where(
      'number',
      '>',
      sql<number>`coalesce((
        select max(number) from source_run whole
        where whole.source_id = ${run.source_id} and not whole.is_partial and not whole.is_cut
          and whole.state = 'finished'
      ), 0)`,
    )
    .execute();
  return rows.flatMap(({ effect }) => effectSchema.safeParse(effect).data ?? []);
}

/** Documents that were removed by the earlier ones count as being there. */
function sumEffects(effects: readonly RunEffect[]): RunEffect {
  const [own, ...earlier] = effects;
  const total = (name: keyof RunEffect) => effects.reduce((sum, effect) => sum + effect[name], 0);
  const before = earlier.reduce((sum, { removed }) => sum + removed, 0);
  return {
    ...{ documents: (own?.documents ?? 0) + before, removed: total('removed'), changed: total('changed') },
    ...{ shrunk: total('shrunk'), alike: total('alike') },
  };
}

type Change = Awaited<ReturnType<typeof findChanges>>[number];

function findChanges(transaction: Transaction<Tables>, { source_id, number }: RunRow) {
  return transaction
    .selectFrom('source_change')
    .innerJoin('source_item as item', (join) =>
      join
        .on('item.source_id', '=', source_id)
        .on(({ fn, ref, eb }) =>
          eb('item.key', '=', fn.coalesce(ref('source_change.takes_from'), ref('source_change.key'))),
        ),
    )
    .leftJoin('document', 'document.id', 'item.document_id')
    .select(['item.url', 'item.document_id'])
    .select(({ fn, ref }) =>
      fn.coalesce(ref('item.title'), ref('document.title'), ref('item.key')).as('title'),
    )
    .select(['source_change.size', 'source_change.size_before', 'source_change.fingerprint'])
    .select('item.fingerprint as fingerprint_before')
    .where('source_change.source_id', '=', source_id)
    .where('source_change.run', '=', number)
    .orderBy('source_change.key')
    .execute();
}

/**
 * Counts the largest group of pages that become the same text, with their numbers or without. Pages that were the
 * same before count once, because those of a catalogue may differ in numbers only.
 */
function countAlike(changes: readonly Change[]): number {
  return Math.max(...[0, 1].map((part) => countGroup(changes, part)));
}

function countGroup(changes: readonly Change[], part: number): number {
  const groups = new Map<string, Set<string | symbol>>();
  for (const { fingerprint, fingerprint_before: before } of changes) {
    const now = fingerprint.split('.')[part] ?? '';
    const group = groups.get(now) ?? new Set();
    groups.set(now, group.add(before?.split('.')[part] ?? Symbol('unknown')));
  }
  return [...groups.values()].reduce((most, { size }) => (size > 1 ? Math.max(most, size) : most), 0);
}

/** Takes removed pages first, but leaves half of the room to changed ones, the most shrunken first. */
async function takeSamples(
  transaction: Transaction<Tables>,
  run: RunRow,
  changes: readonly Change[],
): Promise<Hold['samples']> {
  const most = Math.max(MOST_SAMPLES / 2, MOST_SAMPLES - changes.length);
  const removed = await selectUnintendedRemovals(transaction, run)
    .select(['url', 'document_id', 'size'])
    .select(
      sql<string>`coalesce(title, (select title from document where id = source_item.document_id), key)`.as(
        'title',
      ),
    )
    .orderBy('key')
    .limit(most)
    .execute();
  const shareLeft = ({ size, size_before: before }: Change) =>
    before === null ? 1 : size / Math.max(1, before);
  const changed = [...changes]
    .sort((one, other) => shareLeft(one) - shareLeft(other))
    .slice(0, MOST_SAMPLES - removed.length);
  return [
    ...removed.map(({ title, url, document_id: documentId, size }) => ({
      ...{ effect: 'removed' as const, documentId, title, url, before: size, after: null },
    })),
    ...changed.map(({ title, url, document_id: documentId, size, size_before: before }) => ({
      ...{ effect: 'changed' as const, documentId, title, url, before, after: size },
    })),
  ];
}

/**
 * Stores the changes of a run for the decision of an owner, and replaces those of an earlier run. Owners are notified
 * once for consecutive held runs. Returns the webhook deliveries to wake.
 */
export async function holdRun(
  transaction: Transaction<Tables>,
  { run, hold, now }: { readonly run: RunRow; readonly hold: Hold; readonly now: Date },
): Promise<readonly string[]> {
  if (!run.is_partial) await dropChanges(transaction, run.source_id, { except: run.number });
  const source = await transaction
    .selectFrom('source')
    .select(['name', 'kind', 'held_run'])
    .where('id', '=', run.source_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const isNew = source.held_run === null;
  // A whole run that is held says more than one of changes. Those are read again by the next run.
  if (!isNew && run.is_partial) {
    await dropChangesBy(transaction, run);
    return [];
  }
  await transaction
    .updateTable('source')
    .set({
      held_run: run.number,
      ...(isNew && { held_at: now, hold_told_at: null, hold_mail_faults: 0 }),
    })
    .where('id', '=', run.source_id)
    .execute();
  await endHold(transaction, { run, outcome: 'released' });
  if (!isNew) return [];
  const data = {
    ...{ workspace_id: run.workspace_id, source_id: run.source_id, name: source.name, kind: source.kind },
    ...{ run_id: run.id, rules: hold.rules, removed: hold.removed, changed: hold.changed, kept: hold.kept },
    samples: hold.samples.map(({ effect, title, url }) => ({ effect, title, url })),
  };
  await sql`
    select tell_webhooks(${run.workspace_id}, null, 'source.held', ${now}::timestamptz, ${JSON.stringify(data)}::json)
  `.execute(transaction);
  return findQueuedDeliveries(transaction);
}

/** A plausible run replaces an earlier hold. */
export async function releaseHold(transaction: Transaction<Tables>, run: RunRow): Promise<void> {
  await dropChanges(transaction, run.source_id, { except: run.number });
  await transaction
    .updateTable('source')
    .set({ held_run: null, held_at: null })
    .where('id', '=', run.source_id)
    .execute();
  await endHold(transaction, { run, outcome: 'released' });
}

/** Records that earlier held runs do not wait any more. */
async function endHold(
  transaction: Kysely<Tables>,
  { run, outcome }: { readonly run: RunRow; readonly outcome: 'released' },
): Promise<void> {
  await transaction
    .updateTable('source_run')
    .set({ hold_outcome: outcome })
    .where('source_id', '=', run.source_id)
    .where('verdict', '=', 'held')
    .where('hold_outcome', 'is', null)
    .where('number', '<', run.number)
    .execute();
}
