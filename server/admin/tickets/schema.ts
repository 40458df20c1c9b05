import { z } from 'zod';
import { omissions, ticketFormats } from '../../../core/tickets/formats/ticket.ts';
import type { ImportedTicket } from '../../../core/tickets/imported-tickets.ts';
import type { Share } from '../../../core/tickets/interval.ts';
import {
  type Judged,
  MIN_JUDGED,
  reportTickets,
  ticketJudgements,
  ticketVerdicts,
} from '../../../core/tickets/report.ts';
import { importFailures, importStates, type TicketImport } from '../../../core/tickets/ticket-imports.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

export const importParamsSchema = workspaceParamsSchema.extend({
  import_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('ticket_import_not_found')),
});

export const importSchema = z
  .object({
    id: z.string(),
    file_name: z.string(),
    bytes: z.int(),
    bytes_read: z.int(),
    format: z.enum(ticketFormats).nullable().meta({ description: 'Null until the file was looked at.' }),
    state: z.enum(importStates),
    failure: z.enum(importFailures).nullable().meta({ description: 'Why it failed.' }),
    audience: z.array(z.string()),
    model: z.string().nullable(),
    started_by: z.string(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    tickets: z.int().meta({ description: 'Tickets with a question and a reply, at most 10,000.' }),
    counts: z
      .object({
        agrees: z.int().meta({ description: 'Would have been answered, and agrees with the agent by rule.' }),
        differs: z.int().meta({ description: 'Would have been answered, and differs by rule.' }),
        maybe: z.int().meta({ description: 'A section that may be the answer would have been shown.' }),
        none: z.int().meta({ description: 'No document holds an answer.' }),
        no_question: z.int().meta({ description: 'The first message asks nothing.' }),
        error: z.int().meta({ description: 'The answer failed or took too long.' }),
      })
      .meta({ description: 'Tickets by verdict. They grow while the import is answered.' }),
    left_out: z.array(z.object({ reason: z.enum(omissions), count: z.int() })).meta({
      description:
        'Records of the file that are no tickets, by reason. unreadable: not what the format says. too_large: longer than 4 MB. automatic: a machine began it. outbound: an agent began it. no_question: no text of a customer. no_reply: no reply of an agent with a statement. duplicate: an id that was there before. too_many: beyond 10,000 tickets.',
    }),
    left_out_examples: z.array(
      z.object({ record: z.int().meta({ description: 'From 1.' }), reason: z.enum(omissions) }),
    ),
  })
  .meta({ id: 'TicketImport' });

const shareSchema = z.object({
  share: z.number(),
  low: z.number().meta({ description: 'The share is above this and below `high` 95 times of 100.' }),
  high: z.number(),
});

export const reportSchema = z
  .object({
    questions: z.int().meta({ description: 'Tickets that ask something and were tried.' }),
    answered: shareSchema.nullable(),
    agrees_by_rule: shareSchema.nullable(),
    right_by_hand: shareSchema.nullable().meta({
      description: `The share of questions that would have been answered rightly: what people judged in the sample corrects the rule. Null until ${MIN_JUDGED} are judged.`,
    }),
    right_of_answered: shareSchema.nullable().meta({ description: 'The same, of the answered questions.' }),
    sample: z.object({
      size: z.int().meta({ description: 'Tickets drawn by chance to be judged, at most 100.' }),
      judged: z.int(),
      agrees: judgementCountsSchema(),
      differs: judgementCountsSchema(),
    }),
  })
  .meta({ id: 'TicketReport', description: 'A Wilson interval is around each share.' });

function judgementCountsSchema() {
  return z
    .object({ right: z.int(), agent_wrong: z.int(), wrong: z.int(), unclear: z.int() })
    .meta({ description: 'Judgements of the sampled tickets that the rule gave this verdict.' });
}

export const ticketSchema = z
  .object({
    id: z.string(),
    external_id: z.string().meta({ description: 'Its id in the export.' }),
    asked_at: z.iso.datetime(),
    language: z.string().nullable(),
    question: z.string().meta({ description: 'Masked, as all texts are.' }),
    reply: z.string().meta({ description: 'What the agent wrote.' }),
    tags: z.array(z.string()),
    rating: z.int().nullable().meta({ description: 'The rating of the customer from 1 to 5.' }),
    verdict: z.enum(ticketVerdicts).nullable().meta({ description: 'Null until it was tried.' }),
    because: z.string().nullable(),
    answer: z.string().nullable().meta({ description: 'What would have been answered.' }),
    probability: z.number().nullable(),
    source_id: z.string().nullable(),
    source_title: z.string().nullable(),
    sampled: z.boolean(),
    judgement: z.enum(ticketJudgements).nullable(),
    judged_by: z.string().nullable(),
  })
  .meta({ id: 'ImportedTicket' });

export function presentImport(one: TicketImport): z.output<typeof importSchema> {
  return {
    id: one.id,
    file_name: one.fileName,
    bytes: one.bytes,
    bytes_read: Math.min(one.bytes, one.bytesRead),
    format: one.format,
    state: one.state,
    failure: one.failure,
    audience: [...one.audience],
    model: one.model,
    started_by: one.startedBy,
    created_at: one.createdAt.toISOString(),
    finished_at: one.finishedAt?.toISOString() ?? null,
    tickets: one.tickets,
    counts: { ...one.counts },
    left_out: omissions.flatMap((reason) => {
      const count = one.omitted[reason] ?? 0;
      return count === 0 ? [] : [{ reason, count }];
    }),
    left_out_examples: [...one.omittedExamples],
  };
}

export function presentReport(
  { counts }: TicketImport,
  judged: Judged & { readonly sampled: number },
): z.output<typeof reportSchema> {
  const report = reportTickets(counts, judged);
  return {
    questions: report.questions,
    answered: presentShare(report.answered),
    agrees_by_rule: presentShare(report.agreesByRule),
    right_by_hand: presentShare(report.rightByHand),
    right_of_answered: presentShare(report.rightOfAnswered),
    sample: {
      size: judged.sampled,
      judged: report.judged,
      agrees: { ...judged.agrees },
      differs: { ...judged.differs },
    },
  };
}

function presentShare(share: Share | null): Share | null {
  const round = (value: number) => Math.round(value * 1_000) / 1_000;
  return share && { share: round(share.share), low: round(share.low), high: round(share.high) };
}

export function presentTicket(ticket: ImportedTicket): z.output<typeof ticketSchema> {
  return {
    id: ticket.id,
    external_id: ticket.externalId,
    asked_at: ticket.at.toISOString(),
    language: ticket.language,
    question: ticket.question,
    reply: ticket.reply,
    tags: [...ticket.tags],
    rating: ticket.rating,
    verdict: ticket.verdict,
    because: ticket.because,
    answer: ticket.answer,
    probability: ticket.probability,
    source_id: ticket.sourceId,
    source_title: ticket.sourceTitle,
    sampled: ticket.isSampled,
    judgement: ticket.judgement,
    judged_by: ticket.judgedBy,
  };
}
