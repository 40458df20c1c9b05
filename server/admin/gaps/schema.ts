import { z } from 'zod';
import { gapKinds } from '../../../core/evaluation/gaps/cluster.ts';
import type { GapDraft } from '../../../core/evaluation/gaps/gap-draft.ts';
import type { GapQuestion } from '../../../core/evaluation/gaps/gaps.ts';
import { GAP_WEEKS, type Gap, gapStates } from '../../../core/evaluation/gaps/list-gaps.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

const idSchema = z.string().refine((id) => /^gap_\w+$/.test(id), withErrorCode('gap_not_found'));

export const gapParamsSchema = workspaceParamsSchema.extend({ gap_id: idSchema });

export const stateSchema = z.enum(gapStates);
export const kindSchema = z.enum(gapKinds).meta({
  description:
    'nothing: no document was near. refused: one was, and was no answer, or the visitor disliked it. person: the visitor asked for a person.',
});

export const gapSchema = z
  .object({
    id: z.string(),
    kind: kindSchema,
    language: z.string().meta({ description: 'ISO 639-1.' }),
    state: stateSchema,
    question: z.string().meta({ description: 'The question that stands for all, masked.' }),
    questions: z.int().meta({ description: 'Questions of the last 90 days.' }),
    people: z.int(),
    weeks: z.array(z.int()).meta({ description: `Questions of the last ${GAP_WEEKS} weeks, oldest first.` }),
    channels: z.array(z.string()),
    nearest: z
      .object({ document_id: z.string(), title: z.string(), score: z.number() })
      .nullable()
      .meta({ description: 'The document that was nearest to the question, with its score then.' }),
    replies: z.int().meta({ description: 'Conversations in which a person answered.' }),
    answer_id: z.string().nullable().meta({ description: 'The curated answer that was written for it.' }),
    check: z
      .object({
        at: z.iso.datetime(),
        running: z.boolean(),
        asked: z.int(),
        answered: z.int(),
        unsure: z.int(),
      })
      .nullable()
      .meta({
        description: 'How many of its questions are answered today. Null: they were not asked again.',
      }),
    changed_by: z.string().nullable(),
  })
  .meta({ id: 'Gap' });

export const gapDetailSchema = gapSchema
  .extend({
    latest: z
      .array(
        z.object({
          message_id: z.string().meta({ description: 'That of the answer.' }),
          conversation_id: z.string(),
          text: z.string(),
          asked_at: z.iso.datetime(),
          channel: z.string(),
          tier: z.enum(['answer', 'maybe', 'none']).nullable(),
        }),
      )
      .meta({ description: 'The latest questions, at most 100; the one that stands for all comes first.' }),
  })
  .meta({ id: 'GapDetail' });

export const gapDraftSchema = z
  .object({
    question: z.string(),
    phrasings: z.array(z.string()),
    answer: z.string().nullable().meta({
      description: 'The reply that has most in common with the others. Null: nobody replied.',
    }),
    replies: z.array(
      z.object({
        message_id: z.string(),
        conversation_id: z.string(),
        author: z.string().nullable(),
        at: z.iso.datetime(),
        text: z.string(),
      }),
    ),
  })
  .meta({ id: 'GapDraft' });

export function presentGap(gap: Gap): z.output<typeof gapSchema> {
  const { nearest, check } = gap;
  return {
    id: gap.id,
    kind: gap.kind,
    language: gap.language,
    state: gap.state,
    question: gap.question,
    questions: gap.questions,
    people: gap.people,
    weeks: [...gap.weeks],
    channels: [...gap.channels],
    nearest: nearest && { document_id: nearest.documentId, title: nearest.title, score: nearest.score },
    replies: gap.replies,
    answer_id: gap.answerId,
    check: check && {
      at: check.at.toISOString(),
      running: check.isRunning,
      ...{ asked: check.asked, answered: check.answered, unsure: check.unsure },
    },
    changed_by: gap.changedBy,
  };
}

export function presentDetail(
  gap: Gap & { readonly latest: readonly GapQuestion[] },
): z.output<typeof gapDetailSchema> {
  return {
    ...presentGap(gap),
    latest: gap.latest.map(({ messageId, conversationId, text, askedAt, channel, tier }) => ({
      ...{ message_id: messageId, conversation_id: conversationId, text, channel, tier },
      asked_at: askedAt.toISOString(),
    })),
  };
}

export function presentDraft({ replies, phrasings, ...draft }: GapDraft): z.output<typeof gapDraftSchema> {
  return {
    ...draft,
    phrasings: [...phrasings],
    replies: replies.map(({ messageId, conversationId, author, at, text }) => ({
      ...{ message_id: messageId, conversation_id: conversationId, author, text },
      at: at.toISOString(),
    })),
  };
}

export const mergeBodySchema = z
  .object({
    gap_ids: z.array(idSchema).min(1).max(50).meta({ description: 'The gaps whose questions move here.' }),
  })
  .meta({ examples: [{ gap_ids: ['gap_01k'] }] });

export const checkBodySchema = z
  .object({
    answer_id: z
      .string()
      .refine((id) => /^cur_\w+$/.test(id), withErrorCode('curated_answer_not_found'))
      .nullable()
      .default(null)
      .meta({ description: 'The curated answer that was written for it; asked once it is indexed.' }),
  })
  .meta({ examples: [{}] });
