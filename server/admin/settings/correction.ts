import { z } from 'zod';
import {
  acceptOffer,
  type CorrectionOffer,
  declineOffer,
  findOffer,
  fitWorkspace,
  removeCorrection,
  storeOffer,
} from '../../../core/answering/refit/correction-offers.ts';
import type { Refit } from '../../../core/answering/refit/fit-correction.ts';
import { findTierMoves } from '../../../core/answering/refit/tier-moves.ts';
import { tiersOf } from '../../../core/answering/rules.ts';
import { countProbabilities } from '../../../core/conversations/messages/probabilities.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { UsedCorrection } from '../../../core/workspaces/correction.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const share = z.number().nullable();
const tier = z.enum(['answer', 'maybe', 'none']);

const refitFields = {
  slope: z.number().meta({ description: 'Multiplies the log-odds of a probability.' }),
  offset: z.number().meta({ description: 'Is added to them.' }),
  judged: z.int().meta({ description: 'The number of judged answers that it rests on.' }),
  before: z.number().meta({ description: 'The mean probability with which these answers are shown now.' }),
  after: z.number().meta({
    description: 'Their mean probability with the correction, each fitted without the answer itself.',
  }),
  helped: z.number().meta({ description: 'The share of them that helped.' }),
  log_loss_before: z.number(),
  log_loss_after: z.number().meta({ description: 'Of answers held out.' }),
  bins: z.array(
    z.object({
      ...{ from: z.number(), to: z.number(), answers: z.int() },
      before: share.meta({ description: 'Null without answers, as are `after` and `helped`.' }),
      ...{ after: share, helped: share },
    }),
  ),
};

const usedSchema = z.object({
  slope: refitFields.slope,
  offset: refitFields.offset,
  judged: refitFields.judged,
  since: z.iso.datetime(),
});

const offerSchema = z.object({
  ...refitFields,
  offered_at: z.iso.datetime().meta({ description: 'Names the offer when it is used or declined.' }),
  answers: z.int().meta({ description: 'The answers of the last 30 days that have a probability.' }),
  moves: z
    .array(z.object({ from: tier, to: tier, answers: z.int() }))
    .meta({ description: 'How many of them would present themselves differently, most first.' }),
});

const correctionStateSchema = z
  .object({ in_use: usedSchema.nullable(), offer: offerSchema.nullable() })
  .meta({ id: 'AnswerCorrection' });

/** Registers the routes of the correction of probabilities that is fitted to judged answers. */
export function correctionRoutes(app: TypedApp, runtime: Runtime): void {
  getCorrection(app, runtime);
  fitCorrection(app, runtime);
  putCorrection(app, runtime);
  declineCorrection(app, runtime);
  deleteCorrection(app, runtime);
}

type Dependencies = Pick<Runtime, 'database' | 'clock'>;

const getSchema = {
  ...operatorRoute,
  summary: 'Read the correction of probabilities',
  operationId: 'getAnswerCorrection',
  description:
    'Returns the correction in use and the one that is offered. Once a week a correction of the probabilities of answers is fitted to the answers of the last 90 days that visitors judged. It is offered if it is better, by a margin, on answers that it was not fitted to, and used only once it is accepted.',
  params: workspaceParamsSchema,
  response: { 200: correctionStateSchema, ...errorResponses('workspace_not_found') },
};

function getCorrection(app: TypedApp, runtime: Dependencies): void {
  app.get('/correction', { schema: getSchema, ...needs('workspace:read') }, async (request) => {
    const workspace = requestWorkspace.get(request);
    return presentState(runtime, workspace, workspace.correction);
  });
}

const fitSchema = {
  ...operatorRoute,
  summary: 'Fit a correction of probabilities now',
  operationId: 'fitAnswerCorrection',
  description:
    'Fits a correction to the judged answers of the last 90 days. Changes nothing, unless `offer` is true: then the correction is offered if it is better by a margin, in place of an open offer.',
  params: workspaceParamsSchema,
  body: z.object({ offer: z.boolean().default(false) }),
  response: {
    200: z.object({
      fit: z
        .object({
          ...refitFields,
          is_better: z.boolean().meta({ description: 'Whether it is better by the margin.' }),
        })
        .nullable()
        .meta({ description: 'Null with fewer than 40 judged answers, or if all were judged alike.' }),
      offered: z.boolean(),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function fitCorrection(app: TypedApp, { database: { kysely: database }, clock }: Dependencies): void {
  app.post('/correction/fit', { schema: fitSchema, ...needs('workspace:write') }, async (request) => {
    const workspace = requestWorkspace.get(request);
    const fitted = await fitWorkspace({ database, clock }, workspace);
    const stored = { workspaceId: workspace.id, refit: fitted, now: clock.now() };
    const offered = request.body.offer && (await storeOffer(database, stored));
    return { fit: fitted && { ...presentRefit(fitted), is_better: fitted.isBetter }, offered };
  });
}

const chosenSchema = z.object({
  offered_at: z.iso.datetime().meta({ description: 'Of the offer, as it was read.' }),
});

const putSchema = {
  ...operatorRoute,
  summary: 'Use the offered correction',
  operationId: 'useAnswerCorrection',
  description:
    'Puts the offered correction in use. It changes `probability` and `tier` of the next answers; stored ones stay as they are.',
  params: workspaceParamsSchema,
  body: chosenSchema,
  response: {
    200: correctionStateSchema,
    ...errorResponses('workspace_not_found', 'correction_offer_not_found'),
  },
};

function putCorrection(app: TypedApp, runtime: Dependencies): void {
  const { database, clock } = runtime;
  app.put('/correction', { schema: putSchema, ...needs('workspace:write') }, async (request) => {
    const workspace = requestWorkspace.get(request);
    const used = await acceptOffer(
      { database: database.kysely, clock },
      {
        workspaceId: workspace.id,
        actor: requestActor.get(request).identity,
        offeredAt: new Date(request.body.offered_at),
      },
    );
    return presentState(runtime, workspace, used);
  });
}

const declineSchema = {
  ...operatorRoute,
  summary: 'Decline the offered correction',
  operationId: 'declineAnswerCorrection',
  description: 'Closes the offer. The next one comes in four weeks at the earliest.',
  params: workspaceParamsSchema,
  body: chosenSchema,
  response: {
    200: correctionStateSchema,
    ...errorResponses('workspace_not_found', 'correction_offer_not_found'),
  },
};

function declineCorrection(app: TypedApp, runtime: Dependencies): void {
  const { database, clock } = runtime;
  app.post('/correction/decline', { schema: declineSchema, ...needs('workspace:write') }, async (request) => {
    const workspace = requestWorkspace.get(request);
    await declineOffer(
      { database: database.kysely, clock },
      {
        workspaceId: workspace.id,
        actor: requestActor.get(request).identity,
        offeredAt: new Date(request.body.offered_at),
      },
    );
    return presentState(runtime, workspace, workspace.correction);
  });
}

const deleteSchema = {
  ...operatorRoute,
  summary: 'Take the correction back',
  operationId: 'deleteAnswerCorrection',
  description:
    'The next answers have the probabilities of the product again. Does nothing if no correction is in use. Closes an open offer; the next one comes in four weeks at the earliest.',
  params: workspaceParamsSchema,
  response: { 200: correctionStateSchema, ...errorResponses('workspace_not_found') },
};

function deleteCorrection(app: TypedApp, runtime: Dependencies): void {
  const { database, clock } = runtime;
  app.delete('/correction', { schema: deleteSchema, ...needs('workspace:write') }, async (request) => {
    const workspace = requestWorkspace.get(request);
    const actor = requestActor.get(request).identity;
    await removeCorrection({ database: database.kysely, clock }, { workspaceId: workspace.id, actor });
    return presentState(runtime, workspace, null);
  });
}

async function presentState(
  { database, clock }: Dependencies,
  workspace: Workspace,
  inUse: UsedCorrection | null,
): Promise<z.output<typeof correctionStateSchema>> {
  const offer = await findOffer(database.kysely, workspace.id);
  return { in_use: inUse, offer: offer && (await presentOffer({ database, clock }, workspace, offer)) };
}

async function presentOffer(
  { database, clock }: Dependencies,
  { id, settings, correction }: Workspace,
  offer: CorrectionOffer,
): Promise<z.output<typeof offerSchema>> {
  const counted = await countProbabilities({ database: database.kysely, clock }, id);
  const change = { tiers: tiersOf(settings), inUse: correction, next: offer.correction };
  return {
    ...presentRefit(offer),
    offered_at: offer.offeredAt.toISOString(),
    answers: counted.counts.reduce((sum, { answers }) => sum + answers, 0),
    moves: [...findTierMoves(counted, change)],
  };
}

function presentRefit({ correction, judged, before, after, helped, lossBefore, lossAfter, bins }: Refit) {
  return {
    ...correction,
    ...{ judged, before, after, helped, log_loss_before: lossBefore, log_loss_after: lossAfter },
    bins: bins.map(({ count, ...bin }) => ({ ...bin, answers: count })),
  };
}
