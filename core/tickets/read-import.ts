import type { Kysely } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { newIdInOrder } from '../base/ids.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ReadMails } from './formats/mbox.ts';
import { detectTicketFormat, readTickets } from './formats/read-tickets.ts';
import type { Omission, Ticket } from './formats/ticket.ts';
import { type HeldImport, leaseEnd } from './import-lease.ts';
import { deleteParts, type importFailures, openExport } from './ticket-imports.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly readMails: ReadMails;
}

const MAX_TICKETS = 10_000;
const BATCH = 200;
const MAX_EXAMPLES = 20;
/** How often the progress is stored, at least. */
const PROGRESS_MS = 5_000;

/**
 * Reads the tickets of an uploaded export into the database and deletes the upload. It may begin anew after a crash: a
 * ticket is stored once. The import stays as it is if it has ended meanwhile, or when `signal` aborts.
 */
export async function readImport(
  dependencies: Dependencies,
  { id, createdAt }: HeldImport,
  signal: AbortSignal,
): Promise<void> {
  const { database, readMails } = dependencies;
  const progress = new ReadingProgress(dependencies, id);
  const open = () => progress.count(openExport(database, id));
  const format = await detectTicketFormat({ open });
  if (format === null) {
    await fail(dependencies, id, 'unknown_format');
    return;
  }
  progress.begin();
  let batch: Ticket[] = [];
  const flush = async (): Promise<void> => {
    await storeTickets(database, id, { tickets: batch, now: createdAt });
    batch = [];
  };
  for await (const reading of readTickets(format, { open, readMails })) {
    if (signal.aborted) return;
    const ticket = 'ticket' in reading ? progress.admit(reading) : null;
    if ('omission' in reading) progress.omit(reading.record, reading.omission);
    if (ticket !== null) batch.push(ticket);
    if (batch.length === BATCH) await flush();
    if (progress.isDue && !(await progress.store())) return;
  }
  await flush();
  if (progress.tickets === 0) {
    await progress.store();
    await fail(dependencies, id, 'no_tickets');
    return;
  }
  await progress.store({ state: 'answering', format });
  await deleteParts(database, id);
}

class ReadingProgress {
  readonly #dependencies: Dependencies;
  readonly #id: string;
  readonly #ids = new Set<string>();
  readonly #omitted = new Map<Omission, number>();
  readonly #examples: { readonly record: number; readonly reason: Omission }[] = [];
  #bytes = 0;
  #storedAt = 0;

  constructor(dependencies: Dependencies, id: string) {
    this.#dependencies = dependencies;
    this.#id = id;
    this.#storedAt = dependencies.clock.now().getTime();
  }

  get tickets(): number {
    return this.#ids.size;
  }

  get isDue(): boolean {
    return this.#dependencies.clock.now().getTime() - this.#storedAt >= PROGRESS_MS;
  }

  /** Detecting the format has read the beginning. */
  begin(): void {
    this.#bytes = 0;
  }

  async *count(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.byteLength;
      yield chunk;
    }
  }

  /** Returns the ticket, or null if it is left out. */
  admit({ record, ticket }: { readonly record: number; readonly ticket: Ticket }): Ticket | null {
    const omission = this.#ids.has(ticket.externalId)
      ? 'duplicate'
      : this.#ids.size >= MAX_TICKETS
        ? 'too_many'
        : null;
    if (omission !== null) {
      this.omit(record, omission);
      return null;
    }
    this.#ids.add(ticket.externalId);
    return ticket;
  }

  omit(record: number, omission: Omission): void {
    this.#omitted.set(omission, (this.#omitted.get(omission) ?? 0) + 1);
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push({ record, reason: omission });
  }

  /** Stores the progress and renews the lease. Returns false if the import is not read any more. */
  async store(done?: { readonly state: 'answering'; readonly format: string }): Promise<boolean> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    this.#storedAt = now.getTime();
    const { numUpdatedRows } = await database
      .updateTable('ticket_import')
      .set({
        ...{ tickets: this.#ids.size, bytes_read: this.#bytes, held_until: leaseEnd(now) },
        omitted: JSON.stringify(Object.fromEntries(this.#omitted)),
        omitted_examples: JSON.stringify(this.#examples),
        ...done,
      })
      .where('id', '=', this.#id)
      .where('state', '=', 'reading')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
}

async function storeTickets(
  database: Kysely<Tables>,
  importId: string,
  { tickets, now }: { readonly tickets: readonly Ticket[]; readonly now: Date },
): Promise<void> {
  if (tickets.length === 0) return;
  const rows = tickets.map((ticket) => ({
    ...{ id: newIdInOrder('tick'), import_id: importId, external_id: ticket.externalId },
    ...{ at: ticket.askedAt ?? now, language: ticket.language },
    ...{ question: ticket.question, reply: ticket.reply, tags: [...ticket.tags], rating: ticket.rating },
  }));
  await database
    .insertInto('imported_ticket')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['import_id', 'external_id']).doNothing())
    .execute();
}

async function fail(
  { database, clock }: Dependencies,
  id: string,
  failure: (typeof importFailures)[number],
): Promise<void> {
  await database
    .updateTable('ticket_import')
    .set({ state: 'failed', failure, finished_at: clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'reading')
    .execute();
  await deleteParts(database, id);
}
