import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import {
  type Judged,
  type JudgementCounts,
  type TicketJudgement,
  type TicketVerdict,
  ticketJudgements,
  ticketVerdicts,
} from './report.ts';

/** A ticket of an import with what would have been answered. */
export interface ImportedTicket {
  readonly id: string;
  readonly externalId: string;
  readonly at: Date;
  readonly language: string | null;
  readonly question: string;
  readonly reply: string;
  readonly tags: readonly string[];
  readonly rating: number | null;
  /** Null while it waits for its turn. */
  readonly verdict: TicketVerdict | null;
  readonly because: string | null;
  readonly answer: string | null;
  readonly probability: number | null;
  readonly sourceId: string | null;
  readonly sourceTitle: string | null;
  readonly isSampled: boolean;
  readonly judgement: TicketJudgement | null;
  readonly judgedBy: string | null;
}

interface Place {
  readonly workspaceId: string;
  readonly importId: string;
}

interface TicketQuery extends PageRequest {
  readonly verdict: TicketVerdict | undefined;
}

const verdictSchema = z.enum(ticketVerdicts).nullable();
const judgementSchema = z.enum(ticketJudgements).nullable();

/** The tickets of imports. */
export class ImportedTickets {
  readonly #database: Kysely<Tables>;
  readonly #clock: Clock;

  constructor({ database, clock }: { readonly database: Kysely<Tables>; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Lists tickets of an import, newest first. Throws `invalid_cursor`. */
  async list(place: Place, { verdict, ...page }: TicketQuery): Promise<Page<ImportedTicket>> {
    let query = this.#tickets(place).selectAll();
    if (verdict !== undefined) query = query.where('verdict', '=', verdict);
    const list = `imported tickets ${place.importId} ${verdict ?? ''}`;
    const { items, nextCursor } = await keysetPage(query, { list, latest: 'at' }, page);
    return { items: items.map(toTicket), nextCursor };
  }

  /** Lists tickets of the sample: those without a judgement, in an order by chance. */
  async listUnjudged(place: Place, limit: number): Promise<readonly ImportedTicket[]> {
    const rows = await this.#tickets(place)
      .selectAll()
      .where('is_sampled', '=', true)
      .where('judgement', 'is', null)
      .orderBy(sql`md5(id)`)
      .limit(limit)
      .execute();
    return rows.map(toTicket);
  }

  /** Stores or removes the judgement of a person. Throws `imported_ticket_not_found`. */
  async judge(
    place: Place,
    { id, judgement, judgedBy }: { id: string; judgement: TicketJudgement | null; judgedBy: string },
  ): Promise<ImportedTicket> {
    const now = this.#clock.now();
    const row = await this.#database
      .updateTable('imported_ticket')
      .set({
        judgement,
        judged_by: judgement === null ? null : judgedBy,
        judged_at: judgement === null ? null : now,
      })
      .where('id', '=', id)
      .where('import_id', '=', place.importId)
      .where('verdict', 'in', ['agrees', 'differs'])
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('ticket_import')
            .select('id')
            .whereRef('ticket_import.id', '=', 'imported_ticket.import_id')
            .where('workspace_id', '=', place.workspaceId),
        ),
      )
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('imported_ticket_not_found');
    return toTicket(row);
  }

  /** Counts the judgements of the sample, and its size. Judgements of other tickets were picked, and prove nothing. */
  async countJudgements(place: Place): Promise<Judged & { readonly sampled: number }> {
    const rows = await this.#tickets(place)
      .select(({ fn }) => ['verdict', 'judgement', fn.countAll<number>().as('count')])
      .where('is_sampled', '=', true)
      .groupBy(['verdict', 'judgement'])
      .execute();
    const countOf = (verdict: TicketVerdict): JudgementCounts => {
      const count = (judgement: TicketJudgement) =>
        Number(rows.find((row) => row.verdict === verdict && row.judgement === judgement)?.count ?? 0);
      return {
        right: count('right'),
        agent_wrong: count('agent_wrong'),
        wrong: count('wrong'),
        unclear: count('unclear'),
      };
    };
    return {
      agrees: countOf('agrees'),
      differs: countOf('differs'),
      sampled: rows.reduce((sum, { count }) => sum + Number(count), 0),
    };
  }

  #tickets({ workspaceId, importId }: Place) {
    return this.#database
      .selectFrom('imported_ticket')
      .where('import_id', '=', importId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('ticket_import')
            .select('ticket_import.id')
            .where('ticket_import.id', '=', importId)
            .where('ticket_import.workspace_id', '=', workspaceId),
        ),
      );
  }
}

function toTicket(row: Selectable<Tables['imported_ticket']>): ImportedTicket {
  return {
    id: row.id,
    externalId: row.external_id,
    at: row.at,
    language: row.language,
    question: row.question,
    reply: row.reply,
    tags: row.tags,
    rating: row.rating,
    verdict: verdictSchema.parse(row.verdict),
    because: row.because,
    answer: row.answer,
    probability: row.probability,
    sourceId: row.source_id,
    sourceTitle: row.source_title,
    isSampled: row.is_sampled,
    judgement: judgementSchema.parse(row.judgement),
    judgedBy: row.judged_by,
  };
}
