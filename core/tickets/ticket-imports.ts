import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newIdInOrder } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import type { JobQueue } from '../queue/queue.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import { violatesConstraint } from '../storage/sql-errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { omissions, ticketFormats } from './formats/ticket.ts';
import type { VerdictCounts } from './report.ts';

export const importStates = ['uploading', 'reading', 'answering', 'finished', 'cancelled', 'failed'] as const;
export const importFailures = ['unknown_format', 'no_tickets'] as const;

/** An uploaded export of another help desk, whose first questions are answered on trial. */
export interface TicketImport {
  readonly id: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly bytesRead: number;
  readonly format: (typeof ticketFormats)[number] | null;
  readonly state: (typeof importStates)[number];
  readonly failure: (typeof importFailures)[number] | null;
  readonly audience: readonly string[];
  readonly model: string | null;
  readonly startedBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly tickets: number;
  readonly counts: VerdictCounts;
  /** Records without a ticket, by reason. */
  readonly omitted: Readonly<Record<string, number>>;
  readonly omittedExamples: readonly z.output<typeof omittedExampleSchema>[];
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

interface NewImport {
  readonly workspaceId: string;
  readonly fileName: string;
  readonly audience: readonly string[];
  readonly model: string | null;
  readonly startedBy: string;
  /** The bytes as they arrive. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether the file was larger than the limit, once all chunks have arrived. */
  readonly isTruncated: () => boolean;
}

const omittedExampleSchema = z.object({ record: z.int(), reason: z.enum(omissions) });
const storedSchema = z.object({
  state: z.enum(importStates),
  failure: z.enum(importFailures).nullable(),
  format: z.enum(ticketFormats).nullable(),
  omitted: z.record(z.string(), z.int()),
  omitted_examples: z.array(omittedExampleSchema),
});

export const MAX_EXPORT_BYTES = 100 * 2 ** 20;
const MAX_IMPORTS = 20;
/** Bytes a row, so that no statement occupies the database for long. */
const PART_BYTES = 750_000;
const RUNNING = 'ticket_import_running';

/** Imports of tickets of a workspace. */
export class TicketImports {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores an export and starts its import. Throws `ticket_import_running`, `too_many_ticket_imports` and `payload_too_large`. */
  async create({ workspaceId, chunks, isTruncated, ...fields }: NewImport): Promise<TicketImport> {
    const { database, clock } = this.#dependencies;
    await this.#requireRoom(workspaceId);
    const id = newIdInOrder('timp');
    await database
      .insertInto('ticket_import')
      .values({
        ...{ id, workspace_id: workspaceId, state: 'uploading', bytes: 0 },
        ...{ file_name: fields.fileName, audience: [...fields.audience], model: fields.model },
        ...{ started_by: fields.startedBy, created_at: clock.now() },
      })
      .execute();
    try {
      const bytes = await storeParts(database, id, chunks);
      if (bytes === 0) throw new AppError('invalid_file');
      if (isTruncated())
        throw new AppError('payload_too_large', { detail: 'The file is too large. The maximum is 100 MB.' });
      const row = await database
        .updateTable('ticket_import')
        .set({ state: 'reading', bytes })
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .where('state', '=', 'uploading')
        .returningAll()
        .executeTakeFirst();
      // A client has cancelled or deleted it meanwhile.
      if (row === undefined) throw new AppError('ticket_import_not_found');
      await wakeTicketImport(this.#dependencies, row);
      return toImport(row);
    } catch (error) {
      await database.deleteFrom('ticket_import').where('id', '=', id).execute();
      throw violatesConstraint(error, RUNNING)
        ? new AppError('ticket_import_running', { cause: error })
        : error;
    }
  }

  /** Lists imports, newest first. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest): Promise<Page<TicketImport>> {
    const query = this.#dependencies.database
      .selectFrom('ticket_import')
      .selectAll()
      .where('workspace_id', '=', workspaceId);
    const list = `ticket imports ${workspaceId}`;
    const { items, nextCursor } = await keysetPage(query, { list, latest: 'created_at' }, page);
    return { items: items.map(toImport), nextCursor };
  }

  /** Throws `ticket_import_not_found`. */
  async get(workspaceId: string, id: string): Promise<TicketImport> {
    const row = await this.#dependencies.database
      .selectFrom('ticket_import')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('ticket_import_not_found');
    return toImport(row);
  }

  /** Ends an import that is going; one that has ended stays as it is. Throws `ticket_import_not_found`. */
  async cancel(workspaceId: string, id: string): Promise<void> {
    const { database, clock } = this.#dependencies;
    await database.transaction().execute(async (transaction) => {
      const ended = await transaction
        .updateTable('ticket_import')
        .set({ state: 'cancelled', finished_at: clock.now() })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', 'in', ['uploading', 'reading', 'answering'])
        .executeTakeFirst();
      if (ended.numUpdatedRows > 0n) await deleteParts(transaction, id);
    });
    await this.get(workspaceId, id);
  }

  /** Deletes an import with its tickets, answers and judgements. Throws `ticket_import_not_found`. */
  async delete(workspaceId: string, id: string): Promise<void> {
    const result = await this.#dependencies.database
      .deleteFrom('ticket_import')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (result.numDeletedRows === 0n) throw new AppError('ticket_import_not_found');
  }

  async #requireRoom(workspaceId: string): Promise<void> {
    const rows = await this.#dependencies.database
      .selectFrom('ticket_import')
      .select('state')
      .where('workspace_id', '=', workspaceId)
      .limit(MAX_IMPORTS)
      .execute();
    if (rows.some(({ state }) => state === 'reading' || state === 'answering'))
      throw new AppError('ticket_import_running');
    if (rows.length === MAX_IMPORTS) throw new AppError('too_many_ticket_imports');
  }
}

async function storeParts(
  database: Kysely<Tables>,
  importId: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let bytes = 0;
  let part = 0;
  const store = async (): Promise<void> => {
    const data = Buffer.concat(waiting).toString('base64');
    await database.insertInto('ticket_import_part').values({ import_id: importId, part, data }).execute();
    part += 1;
    waiting = [];
    length = 0;
  };
  for await (const chunk of chunks) {
    waiting.push(chunk);
    length += chunk.byteLength;
    bytes += chunk.byteLength;
    if (length >= PART_BYTES) await store();
  }
  if (length > 0) await store();
  return bytes;
}

/** Yields the uploaded bytes of an import, in order. */
export async function* openExport(database: Kysely<Tables>, importId: string): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part += 1) {
    const row = await database
      .selectFrom('ticket_import_part')
      .select('data')
      .where('import_id', '=', importId)
      .where('part', '=', part)
      .executeTakeFirst();
    if (row === undefined) return;
    yield Buffer.from(row.data, 'base64');
  }
}

export async function deleteParts(database: Kysely<Tables>, importId: string): Promise<void> {
  await database.deleteFrom('ticket_import_part').where('import_id', '=', importId).execute();
}

/** Queues the next slice of an import. It never rejects: maintenance queues lost ones. */
export async function wakeTicketImport(
  { queue, log }: Pick<Dependencies, 'queue' | 'log'>,
  { id, slice }: { readonly id: string; readonly slice: number },
  again = '',
): Promise<void> {
  try {
    await queue.add('tickets', `${id}-${slice}${again}`, { importId: id, slice });
  } catch (err) {
    log.warn({ err, import: id }, 'queueing an import of tickets failed, retried soon');
  }
}

const MOST_AT_ONCE = 50;

/** Queues the imports again that no process has worked on since a time: their jobs were lost. */
export async function requeueTicketImports(dependencies: Dependencies, before: Date): Promise<void> {
  const rows = await dependencies.database
    .selectFrom('ticket_import')
    .select(['id', 'slice'])
    .where('state', 'in', ['reading', 'answering'])
    .where('created_at', '<', before)
    .where('held_until', '<', before)
    .orderBy('created_at')
    .limit(MOST_AT_ONCE)
    .execute();
  for (const row of rows) await wakeTicketImport(dependencies, row, `-${before.getTime()}`);
}

export function toImport(row: Selectable<Tables['ticket_import']>): TicketImport {
  const { state, failure, format, omitted, omitted_examples: examples } = storedSchema.parse(row);
  return {
    ...{ id: row.id, state, failure, format, omitted, omittedExamples: examples },
    fileName: row.file_name,
    bytes: Number(row.bytes),
    bytesRead: Number(row.bytes_read),
    audience: row.audience,
    model: row.model,
    startedBy: row.started_by,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    tickets: row.tickets,
    counts: {
      agrees: row.agrees_count,
      differs: row.differs_count,
      maybe: row.maybe_count,
      none: row.none_count,
      no_question: row.no_question_count,
      error: row.error_count,
    },
  };
}
