import { z } from 'zod';
import { outcomes } from '../../../core/evaluation/judge.ts';
import { type PlayedTurn, playedTurnSchema } from '../../../core/evaluation/scripts/judge-turn.ts';
import {
  questionOrigins,
  type TestQuestion,
  TestQuestions,
} from '../../../core/evaluation/test-questions.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import {
  audienceSchema,
  boundedString,
  conversationChannelSchema,
  languageSchema,
  questionSchema,
} from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

/** Registers the routes for the questions that a workspace is tested with. */
export function testQuestionRoutes(app: TypedApp, { database, clock }: Runtime): void {
  const questions = new TestQuestions({ database: database.kysely, clock });
  putQuestions(app, questions);
  listQuestions(app, questions);
  deleteQuestion(app, questions);
}

const textSchema = boundedString({ min: 1, max: 2_000 }, z.string().trim());

const turnSchema = z.object({
  message: questionSchema,
  document_id: z.string().min(1).max(100).nullable().default(null).meta({
    description: 'The reply rests on this document.',
  }),
  phrase: textSchema.nullable().default(null).meta({
    description: 'The reply has this text. Upper and lower case, spaces and punctuation do not matter.',
  }),
  refuse: z.boolean().default(false).meta({ description: 'The reply gives no answer.' }),
  person: z
    .boolean()
    .default(false)
    .meta({ description: 'The reply hands the conversation over to a person. From then on nobody replies.' }),
  tier: z.enum(['answer', 'maybe']).nullable().default(null).meta({
    description: 'The reply is at least this: an answer, or one that says it is unsure.',
  }),
});

/** The turns of a run, which the newest run of a question and the results of a run show. */
export const playedTurnsSchema = z
  .array(playedTurnSchema.meta({ id: 'PlayedTurn' }))
  .meta({ description: 'The turns of a scripted customer as they were played. Empty for a question.' });

const questionFieldsSchema = z.object({
  question: questionSchema.meta({ description: 'With `turns`, the goal of the customer.' }),
  audience: audienceSchema.default([]),
  language: languageSchema,
  expects: z.enum(['answer', 'nothing']).default('answer').meta({
    description: 'nothing: the documents hold no answer, and saying so is right.',
  }),
  accepted: z.array(textSchema).max(20).default([]).meta({
    description:
      'A right answer has one of these texts. Upper and lower case, spaces and punctuation do not matter.',
  }),
  document_id: z.string().min(1).max(100).nullable().default(null).meta({
    description: 'A right answer rests on this document. Counts without `accepted`.',
  }),
  section: textSchema.nullable().default(null).meta({
    description: 'The heading in that document under which the answer stands. Null: any.',
  }),
  said: textSchema.nullable().default(null).meta({
    description:
      'An answer in your words. Counts without the others: a right answer has all its numbers and most of its words.',
  }),
  origin: z.enum(questionOrigins).default('hand').meta({
    description:
      'right and wrong: a person judged an answer. upload: it came with a file. sampled: a visitor asked it.',
  }),
  turns: z.array(turnSchema).max(20).default([]).meta({
    description:
      'The messages of a scripted customer, in order, each asked with those before it as memory. Send no other expectation with them, and one in a turn at least. A run counts the script as one question.',
  }),
  channel: conversationChannelSchema.default('api').meta({
    description: 'Where a scripted customer writes.',
  }),
});

const testQuestionSchema = questionFieldsSchema
  .extend({
    id: z.string(),
    channel: z.string(),
    created_by: z.string(),
    created_at: z.iso.datetime(),
    last: z
      .object({
        outcome: z.enum(outcomes),
        because: z.string(),
        answer: z.string(),
        turns: playedTurnsSchema,
      })
      .nullable()
      .meta({ description: 'How the newest run judged the answer. Null: no run has asked it.' }),
  })
  .meta({ id: 'TestQuestion' });

function presentQuestion(question: TestQuestion): z.output<typeof testQuestionSchema> {
  const { documentId, createdBy, createdAt, audience, accepted, turns, last, ...rest } = question;
  return {
    ...rest,
    turns: turns.map((turn) => ({ ...turn })),
    last: last && { ...last, turns: presentPlayed(last.turns) },
    audience: [...audience],
    accepted: [...accepted],
    document_id: documentId,
    created_by: createdBy,
    created_at: createdAt.toISOString(),
  };
}

export function presentPlayed(turns: readonly PlayedTurn[]): z.output<typeof playedTurnsSchema> {
  return turns.map((turn) => ({ ...turn }));
}

const putQuestionsSchema = {
  ...operatorRoute,
  summary: 'Store test questions',
  operationId: 'storeTestQuestions',
  description:
    'Stores questions whose right answers are known. A question that is there for the same audience gets the new expectation. All are stored, or none.',
  params: workspaceParamsSchema,
  body: z
    .object({ questions: z.array(questionFieldsSchema).min(1).max(500) })
    .meta({ examples: [{ questions: [{ question: 'Is the shop open on Sunday?', accepted: ['noon'] }] }] }),
  response: {
    200: z.object({
      added: z.int(),
      changed: z.int(),
      ids: z.array(z.string()).meta({ description: 'In the order in which they were sent, each once.' }),
    }),
    ...errorResponses(
      'workspace_not_found',
      'invalid_audience',
      'document_not_found',
      'invalid_test_question',
      'too_many_test_questions',
    ),
  },
};

function putQuestions(app: TypedApp, questions: TestQuestions): void {
  app.post(
    '/test-questions',
    { schema: putQuestionsSchema, ...needs('knowledge:write') },
    async (request) => {
      const workspace = requestWorkspace.get(request);
      const sent = request.body.questions.map(({ document_id: documentId, ...question }) => {
        assertKnownAudience(workspace, question.audience);
        return { ...question, documentId };
      });
      const { added, changed, ids } = await questions.put(
        workspace.id,
        sent,
        requestActor.get(request).identity.name,
      );
      return { added, changed, ids: [...ids] };
    },
  );
}

const listQuestionsSchema = {
  ...operatorRoute,
  summary: 'List the test questions of a workspace, newest first',
  operationId: 'listTestQuestions',
  description: 'Returns the questions with how the newest run judged their answers, in pages.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend({
    kind: z
      .enum(['question', 'script'])
      .optional()
      .meta({ description: 'script: returns scripted customers alone.' }),
    outcome: z.enum(outcomes).optional().meta({ description: 'Returns those with this newest outcome.' }),
    q: boundedString({ min: 1, max: 200 }, z.string().trim())
      .optional()
      .meta({ description: 'Returns questions that contain this.' }),
  }),
  response: {
    200: z.object({
      questions: z.array(testQuestionSchema),
      total: z.int().meta({ description: 'All questions of the workspace.' }),
      pagination: paginationSchema,
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function listQuestions(app: TypedApp, questions: TestQuestions): void {
  app.get('/test-questions', { schema: listQuestionsSchema, ...needs('knowledge:read') }, async (request) => {
    const { q: search, ...wanted } = request.query;
    const page = await questions.list(requestWorkspace.get(request).id, { ...wanted, search });
    const { items, total } = page;
    return { questions: items.map(presentQuestion), total, pagination: presentPagination(page) };
  });
}

const deleteQuestionSchema = {
  ...operatorRoute,
  summary: 'Delete a test question',
  operationId: 'deleteTestQuestion',
  description: 'Deletes the question with its results.',
  params: workspaceParamsSchema.extend({
    question_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('test_question_not_found')),
  }),
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'test_question_not_found') },
};

function deleteQuestion(app: TypedApp, questions: TestQuestions): void {
  app.delete(
    '/test-questions/:question_id',
    { schema: deleteQuestionSchema, ...needs('knowledge:write') },
    async (request, reply) => {
      await questions.delete(requestWorkspace.get(request).id, request.params.question_id);
      return reply.code(204).send();
    },
  );
}
