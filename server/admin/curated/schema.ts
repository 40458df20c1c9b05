import { z } from 'zod';
import { curatedActions, curatedLimits } from '../../../core/knowledge/curated/curated-answer.ts';
import type { CuratedAnswer } from '../../../core/knowledge/curated/store-answers.ts';
import { documentStatuses } from '../../../core/knowledge/documents/document.ts';
import { audienceSchema, boundedString, timeSchema } from '../../schemas/fields.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

export const curatedParamsSchema = workspaceParamsSchema.extend({
  answer_id: z.string().refine((id) => /^cur_\w+$/.test(id), withErrorCode('curated_answer_not_found')),
});

const wordingSchema = boundedString({ min: 1, max: curatedLimits.questionCharacters }, z.string().trim());

const fields = {
  question: wordingSchema,
  phrasings: z.array(wordingSchema).max(curatedLimits.phrasings).meta({
    description: 'Other wordings of the question.',
  }),
  action: z.enum(curatedActions).meta({
    description:
      'answer: the text answers. unknown: the question is not answered, and says so. person: that, and a person is called.',
  }),
  answer: boundedString({ max: curatedLimits.answerCharacters }).nullable().meta({
    description: 'Markdown. Null unless the action is answer.',
  }),
  audience: audienceSchema.meta({ description: 'Only visitors with one of these tags find it. Empty: all.' }),
  valid_until: timeSchema
    .nullable()
    .meta({ description: 'From then on nothing finds it. Null: always valid.' }),
};

/** The fields that a person writes. */
export const curatedBodySchema = z.object({
  ...fields,
  phrasings: fields.phrasings.default([]),
  action: fields.action.default('answer'),
  answer: fields.answer.default(null),
  audience: fields.audience.default([]),
  valid_until: fields.valid_until.default(null),
});

export const curatedChangeSchema = z.object(fields).partial();

export const curatedSchema = z
  .object({
    ...fields,
    id: z.string().meta({ description: 'Also that of its document.' }),
    valid_until: z.iso.datetime().nullable(),
    status: z.enum([...documentStatuses, 'deleted']),
    indexed: z.boolean().meta({ description: 'Whether answers use its newest text.' }),
    hits: z.int().meta({
      description:
        'Answers of the last 30 days that rest on it or that it withheld. Counted every five minutes.',
    }),
    changed_by: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'CuratedAnswer' });

export function presentCurated(answer: CuratedAnswer): z.output<typeof curatedSchema> {
  return {
    id: answer.id,
    question: answer.question,
    phrasings: [...answer.phrasings],
    action: answer.action,
    answer: answer.answer,
    audience: [...answer.audience],
    valid_until: answer.validUntil?.toISOString() ?? null,
    status: answer.status,
    indexed: answer.isIndexed,
    hits: answer.hits,
    changed_by: answer.changedBy,
    created_at: answer.createdAt.toISOString(),
    updated_at: answer.updatedAt.toISOString(),
  };
}
