import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { opinions } from '../../../core/contract/conversation-values.ts';
import { sampledOutcomes } from '../../../core/evaluation/sampled/choose-proposals.ts';
import { type Proposal, Proposals, sampleDecisions } from '../../../core/evaluation/sampled/proposals.ts';
import { TestQuestions } from '../../../core/evaluation/test-questions.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const MAX_SEED = 2 ** 31 - 1;

/** Registers the routes that propose test questions from what visitors asked. */
export function proposalRoutes(
  app: TypedApp,
  { database, clock, embedder }: Runtime,
  random: () => number = () => randomInt(MAX_SEED),
): void {
  const questions = new TestQuestions({ database: database.kysely, clock });
  const proposals = new Proposals({ database: database.kysely, clock, embedder, questions });
  listProposals(app, proposals, random);
  decideProposal(app, proposals);
}

const proposalSchema = z
  .object({
    message_id: z.string().meta({ description: 'The id of the answer.' }),
    conversation_id: z.string(),
    question: z.string(),
    asked_at: z.iso.datetime(),
    channel: z.string(),
    outcome: z.enum(sampledOutcomes).meta({
      description:
        'answered and unsure: as the answer presented itself. unanswered: the fallback. disliked: the visitor gave a thumbs down.',
    }),
    audience: z.array(z.string()),
    answer: z.string().meta({ description: 'The first line of the answer that was given.' }),
    sources: z
      .array(z.object({ document_id: z.string(), title: z.string() }))
      .meta({ description: 'The documents that the answer rests on, at most three.' }),
    document_id: z.string().nullable().meta({
      description:
        'The document that `right` makes the expected one. Null: the answer rests on none that is still there.',
    }),
    rating: z.enum(opinions).nullable().meta({ description: "The visitor's." }),
  })
  .meta({ id: 'TestQuestionProposal' });

function presentProposal(proposal: Proposal): z.output<typeof proposalSchema> {
  const { question, channel, outcome, answer, rating } = proposal;
  return {
    message_id: proposal.messageId,
    conversation_id: proposal.conversationId,
    asked_at: proposal.askedAt.toISOString(),
    ...{ question, channel, outcome, answer, rating },
    audience: [...proposal.audience],
    sources: proposal.sources.map(({ documentId, title }) => ({ document_id: documentId, title })),
    document_id: proposal.documentId,
  };
}

const listSchema = {
  ...operatorRoute,
  summary: 'Propose test questions from what visitors asked',
  operationId: 'proposeTestQuestions',
  description:
    'Returns questions of the last 90 days, spread over topics and outcomes, without those that a test question asks already and those that were decided about. Texts are masked. Nothing is stored.',
  params: workspaceParamsSchema,
  querystring: z.object({
    count: z.coerce.number().int().min(1).max(50).default(20),
    seed: z.coerce.number().int().min(0).max(MAX_SEED).optional().meta({
      description: 'The same seed returns the same proposals. By default another one each time.',
    }),
  }),
  response: {
    200: z.object({ seed: z.int(), proposals: z.array(proposalSchema) }),
    ...errorResponses('workspace_not_found'),
  },
};

function listProposals(app: TypedApp, proposals: Proposals, random: () => number): void {
  app.get(
    '/test-questions/proposals',
    { schema: listSchema, ...needs('knowledge:write') },
    async (request) => {
      const { count, seed = random() } = request.query;
      const found = await proposals.propose(requestWorkspace.get(request).id, { count, seed });
      return { seed, proposals: found.map(presentProposal) };
    },
  );
}

const decideSchema = {
  ...operatorRoute,
  summary: 'Decide about a proposed test question',
  operationId: 'decideTestQuestionProposal',
  description:
    '`right` makes a test question that expects the document of the answer, `nothing` one that expects no answer, `skip` none. The answer is not proposed again. A later decision counts.',
  params: workspaceParamsSchema.extend({
    message_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('message_not_found')),
  }),
  body: z.object({ decision: z.enum(sampleDecisions) }).meta({ examples: [{ decision: 'right' }] }),
  response: {
    200: z.object({
      question_id: z.string().nullable().meta({ description: 'The test question. Null: none was made.' }),
    }),
    ...errorResponses(
      'workspace_not_found',
      'message_not_found',
      'document_not_found',
      'too_many_test_questions',
    ),
  },
};

function decideProposal(app: TypedApp, proposals: Proposals): void {
  app.put(
    '/test-questions/proposals/:message_id',
    { schema: decideSchema, ...needs('knowledge:write') },
    async (request) => {
      const decided = {
        messageId: request.params.message_id,
        decision: request.body.decision,
        by: requestActor.get(request).identity.name,
      };
      return { question_id: await proposals.decide(requestWorkspace.get(request), decided) };
    },
  );
}
