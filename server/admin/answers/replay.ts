import { z } from 'zod';
import { tiersOf } from '../../../core/answering/rules.ts';
import { findAnswer } from '../../../core/answers/find-answer.ts';
import { type MovedPassage, replayAnswer } from '../../../core/answers/replay.ts';
import { AppError } from '../../../core/base/errors.ts';
import { roundScore } from '../../../core/contract/answer.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { assertKnownAudience } from '../../../core/workspaces/workspaces.ts';
import { needs } from '../../plugins/operator-access.ts';
import { audienceSchema } from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { modelChoices, presentRehearsal, rehearsalMs, rehearsalSchema } from '../evaluation/ask.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import { answerParamsSchema, explainedAnswerSchema, presentAnswer } from './answer.ts';

const placeSchema = z.object({ rank: z.int(), score: z.number() }).nullable();

const postReplaySchema = {
  ...operatorRoute,
  operationId: 'replayAnswer',
  summary: 'Ask the question of an answer again',
  description:
    "Answers the question with today's documents and settings, after the same exchanges, and returns the stored answer and the new one with the passages that moved. Nothing is stored, counted, sent or fired: skills do not run.",
  params: answerParamsSchema,
  body: z
    .object({
      model: z
        .string()
        .min(1)
        .max(200)
        .nullable()
        .default(null)
        .meta({ description: "`provider:model`, or `none`. Null: the workspace's own." }),
      audience: audienceSchema
        .nullable()
        .default(null)
        .meta({ description: 'Null: that of the visitor, as far as the workspace still has it.' }),
      strictness: z
        .enum(['strict', 'fallback'])
        .nullable()
        .default(null)
        .meta({ description: "Null: the workspace's own." }),
    })
    .meta({ examples: [{ model: 'none' }] }),
  response: {
    200: z
      .object({
        before: explainedAnswerSchema,
        after: rehearsalSchema,
        audience: z.array(z.string()).meta({ description: 'The one that was asked as.' }),
        moved: z
          .array(
            z.object({
              chunk_id: z.string(),
              title: z.string().nullable(),
              before: placeSchema,
              after: placeSchema,
            }),
          )
          .meta({
            description: 'The passages with another rank or score. Null: it is not among the twenty best.',
          }),
      })
      .meta({ id: 'AnswerReplay' }),
    ...errorResponses(
      'workspace_not_found',
      'message_not_found',
      'invalid_audience',
      'invalid_strictness',
      'unknown_model',
      'provider_down',
      'model_provider_error',
      'upstream_timeout',
      'request_timeout',
    ),
  },
};

/** Registers the route that asks the question of an answer again. */
export function replayRoutes(app: TypedApp, runtime: Runtime): void {
  app.post(
    '/answers/:message_id/replay',
    { schema: postReplaySchema, ...needs('inbox:read') },
    async (request) => {
      const workspace = requestWorkspace.get(request);
      const { message_id: messageId } = request.params;
      const { model, audience, strictness } = request.body;
      // An answer of somebody else is not found, whatever else is wrong with the request.
      await findAnswer(runtime.database.kysely, { workspaceId: workspace.id, messageId });
      assertKnownAudience(workspace, audience ?? []);
      if (model !== null && !modelChoices(runtime, workspace).includes(model))
        throw new AppError('unknown_model');
      const signal = AbortSignal.timeout(rehearsalMs);
      const startedAt = runtime.clock.now().getTime();
      const asked = { workspace, messageId, model, audience, strictness, signal };
      const replay = await replayAnswer(runtime, asked).catch((error: unknown) => {
        throw signal.aborted ? new AppError('request_timeout', { cause: error }) : error;
      });
      const latencyMs = Math.max(0, runtime.clock.now().getTime() - startedAt);
      return {
        before: presentAnswer(replay.before, workspace),
        after: { ...presentRehearsal(replay.after, tiersOf(workspace.settings)), latency_ms: latencyMs },
        audience: [...replay.audience],
        moved: replay.moved.map(presentMoved),
      };
    },
  );
}

function presentMoved({ chunkId, title, before, after }: MovedPassage) {
  return { chunk_id: chunkId, title, before: presentPlace(before), after: presentPlace(after) };
}

function presentPlace(place: MovedPassage['before']) {
  return place && { rank: place.rank, score: roundScore(place.score) };
}
