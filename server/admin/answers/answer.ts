import { z } from 'zod';
import { tiersOf } from '../../../core/answering/rules.ts';
import { findAnswer, type StoredAnswer } from '../../../core/answers/find-answer.ts';
import { type Review, reviewAnswer, verdictSchema } from '../../../core/answers/reviews.ts';
import { decisionRecordSchema } from '../../../core/contract/answer.ts';
import { answerTraceSchema } from '../../../core/contract/trace/answer-trace.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { presentMessage } from '../../v1/conversations/present.ts';
import { messageSchema } from '../../v1/conversations/schema.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

export const answerParamsSchema = workspaceParamsSchema.extend({
  message_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('message_not_found')),
});

const share = z.number().meta({ minimum: 0, maximum: 1 });
const evidence = answerTraceSchema.shape.passages.element.shape;

const tracedPassageSchema = z
  .object({
    document_id: z.string(),
    chunk_id: z.string(),
    title: z.string().nullable().meta({ description: 'Null if its document is gone.' }),
    headings: z.array(z.string()),
    current: z.boolean().meta({ description: 'False: its document changed or was deleted since.' }),
    score: share,
    read: z.boolean().meta({ description: 'Whether the reader or the model read it.' }),
    evidence: z
      .object({ words: share, coverage: share, meaning: share, fused: share })
      .nullable()
      .meta({ description: 'What the score follows from. Null without a trace.' }),
    use: evidence.use.nullable().meta({
      description:
        'used: a sentence rests on it. shown: it is a source. cut: it could be an answer, but is neither. below: it could not.',
    }),
  })
  .meta({ id: 'TracedPassage' });

export const reviewSchema = z
  .object({ verdict: verdictSchema, reviewer: z.string(), at: z.iso.datetime() })
  .meta({ id: 'AnswerReview' });

const changedSettings = ['strictness', 'model', 'answer_from', 'maybe_from'] as const;

export const explainedAnswerSchema = z
  .object({
    answer: messageSchema,
    question: z.string().nullable(),
    conversation: z.object({ id: z.string(), channel: z.string(), customer: z.string().nullable() }),
    exchange: z
      .array(
        z.object({
          id: z.string(),
          role: messageSchema.shape.role,
          content: z.string(),
          at: z.iso.datetime(),
        }),
      )
      .meta({ description: 'The messages around the answer, oldest first.' }),
    decision: decisionRecordSchema.nullable(),
    trace: answerTraceSchema.omit({ passages: true }).nullable().meta({
      description:
        'How the answer was made. Null if the workspace keeps no traces, if its days are over, and after the visitor edited or deleted an earlier message.',
    }),
    passages: z.array(tracedPassageSchema).meta({ description: 'The best passages, best first.' }),
    changed_settings: z
      .array(z.enum(changedSettings))
      .meta({ description: 'The settings that are different today.' }),
    review: reviewSchema.nullable(),
  })
  .meta({ id: 'ExplainedAnswer' });

const getAnswerSchema = {
  ...operatorRoute,
  operationId: 'getAnswer',
  summary: 'Show how an answer was made',
  description:
    'Returns the exchange, the decision, the trace with its stages, searched texts, passages, models, sentences and skills, and the review. `message_id` is also the `query_id` of a response.',
  params: answerParamsSchema,
  response: { 200: explainedAnswerSchema, ...errorResponses('workspace_not_found', 'message_not_found') },
};

const putReviewSchema = {
  ...operatorRoute,
  operationId: 'reviewAnswer',
  summary: 'Judge an answer',
  description:
    'Stores how a person judged the answer, in the place of an earlier judgement. not_ours: the documents need not answer such questions. Null takes it back.',
  params: answerParamsSchema,
  body: z.object({ verdict: verdictSchema.nullable() }).meta({ examples: [{ verdict: 'right' }] }),
  response: {
    200: z.object({ review: reviewSchema.nullable() }),
    ...errorResponses('workspace_not_found', 'message_not_found'),
  },
};

/** Registers the routes that explain one answer and judge it. */
export function answerRoutes(app: TypedApp, { database, clock }: Runtime): void {
  app.get('/answers/:message_id', { schema: getAnswerSchema, ...needs('inbox:read') }, async (request) => {
    const workspace = requestWorkspace.get(request);
    const { message_id: messageId } = request.params;
    const found = await findAnswer(database.kysely, { workspaceId: workspace.id, messageId });
    return presentAnswer(found, workspace);
  });
  app.put(
    '/answers/:message_id/review',
    { schema: putReviewSchema, ...needs('inbox:reply') },
    async (request) => {
      const { id: workspaceId } = requestWorkspace.get(request);
      const { message_id: messageId } = request.params;
      const reviewer = requestActor.get(request).identity;
      const { verdict } = request.body;
      const review = await reviewAnswer(
        { database: database.kysely, clock },
        { workspaceId, messageId, verdict, reviewer },
      );
      return { review: review && presentReview(review) };
    },
  );
}

function presentReview({ at, ...review }: Review): z.output<typeof reviewSchema> {
  return { ...review, at: at.toISOString() };
}

export function presentAnswer(
  { message, conversation, exchange, question, decision, trace, passages, review }: StoredAnswer,
  workspace: Workspace,
): z.output<typeof explainedAnswerSchema> {
  return {
    answer: presentMessage(message),
    question,
    conversation: { ...conversation },
    exchange: exchange.map(({ id, role, content, at }) => ({ id, role, content, at: at.toISOString() })),
    decision,
    trace: trace && withoutPassages(trace),
    passages: passages.map((passage) => ({
      document_id: passage.documentId,
      chunk_id: passage.chunkId,
      title: passage.title,
      headings: [...passage.headings],
      current: passage.isCurrent,
      score: passage.score,
      read: passage.read,
      evidence: passage.evidence,
      use: passage.use,
    })),
    changed_settings: trace === null ? [] : settingsChanged(trace, workspace),
    review: review && presentReview(review),
  };
}

type Trace = NonNullable<StoredAnswer['trace']>;

function withoutPassages({ passages: _, ...trace }: Trace) {
  return trace;
}

function settingsChanged(
  { settings: then, limits }: Trace,
  { settings }: Workspace,
): (typeof changedSettings)[number][] {
  const now = tiersOf(settings);
  const changed = {
    strictness: then.strictness !== (settings.strictness ?? 'strict'),
    model: then.model !== (settings.model ?? null),
    answer_from: limits.answer !== now.answer,
    maybe_from: limits.maybe !== now.maybe,
  };
  return changedSettings.filter((name) => changed[name]);
}
