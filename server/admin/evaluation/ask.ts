import { z } from 'zod';
import { NO_MODEL, type Rehearsal, rehearse } from '../../../core/answering/rehearsal.ts';
import { tiersOf } from '../../../core/answering/rules.ts';
import { AppError } from '../../../core/base/errors.ts';
import type { OpenAccount } from '../../../core/channels/accounts/channel-account.ts';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import { toBotReply } from '../../../core/channels/bot-reply.ts';
import { modelName, parseModelChain } from '../../../core/config/model-choice.ts';
import {
  type Answer,
  decisionRecordSchema,
  roundScore,
  type Tiers,
  tierOf,
} from '../../../core/contract/answer.ts';
import { curatedActions, curatedLimits } from '../../../core/knowledge/curated/curated-answer.ts';
import { searchRules } from '../../../core/knowledge/rules.ts';
import { chooseLanguage } from '../../../core/language/language.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { assertKnownAudience, type Workspace } from '../../../core/workspaces/workspaces.ts';
import { needs } from '../../plugins/operator-access.ts';
import {
  audienceSchema,
  boundedString,
  languageSchema,
  messageTextSchema,
  questionSchema,
} from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { presentCitation, presentGrounds, presentSource } from '../../v1/query/present.ts';
import { citationSchema, groundsSchema, sourceSchema } from '../../v1/query/schema.ts';
import { presentRendered, renderedSchema } from '../conversations/preview.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const uses = ['used', 'near', 'unsure', 'below'] as const;

const passageSchema = z
  .object({
    document_id: z.string(),
    chunk_id: z.string(),
    title: z.string(),
    headings: z.array(z.string()).meta({ description: 'The headings above the passage, outermost first.' }),
    text: z.string(),
    score: z.number().meta({ minimum: 0, maximum: 1 }),
    read: z.boolean().meta({ description: 'Whether the reader read the passage.' }),
    use: z.enum(uses).meta({
      description:
        'used: the answer rests on it. near: it would be an answer by itself. unsure: it would be shown as a section that may be the answer. below: neither.',
    }),
  })
  .meta({ id: 'RehearsedPassage' });

/** An answer on trial, with everything that explains it. */
export const rehearsalSchema = z
  .object({
    answer: z.string(),
    confidence: z.enum(['high', 'medium', 'low']),
    ...groundsSchema.shape,
    sources: z.array(sourceSchema),
    citations: z.array(citationSchema),
    passages: z.array(passageSchema).meta({ description: 'The best passages, best first, at most ten.' }),
    decision: decisionRecordSchema.nullable(),
    limits: z
      .object({ answer: z.number(), maybe: z.number(), high: z.number() })
      .meta({ description: 'The probabilities from which on a passage is shown in each tier.' }),
    tokens_used: z.int(),
    latency_ms: z.int(),
    rendered: renderedSchema.nullable().meta({
      description: 'The answer as the channel shows it. Null without `channel_id`.',
    }),
  })
  .meta({ id: 'Rehearsal' });

const wordingSchema = boundedString({ min: 1, max: curatedLimits.questionCharacters }, z.string().trim());

const curatedDraftSchema = z.object({
  question: wordingSchema,
  phrasings: z.array(wordingSchema).max(curatedLimits.phrasings).default([]),
  action: z.enum(curatedActions).default('answer'),
  answer: boundedString({ max: curatedLimits.answerCharacters }).nullable().default(null),
  replaces: z
    .string()
    .max(100)
    .nullable()
    .default(null)
    .meta({ description: 'The curated answer in whose place it stands.' }),
});

const postAskSchema = {
  ...operatorRoute,
  summary: 'Ask a question on trial',
  operationId: 'rehearseAnswer',
  description:
    'Answers a question as the engine would answer a visitor, with everything that explains the answer. Nothing is stored, counted, sent or fired: skills do not run. With `model`, another model answers; `none` quotes the documents.',
  params: workspaceParamsSchema,
  body: z
    .object({
      query: questionSchema,
      turns: z
        .array(z.object({ question: messageTextSchema, answer: messageTextSchema.nullable() }))
        .max(10)
        .default([])
        .meta({ description: 'The conversation before the question, oldest first.' }),
      audience: audienceSchema.default([]),
      language: languageSchema,
      model: z
        .string()
        .min(1)
        .max(200)
        .nullable()
        .default(null)
        .meta({ description: "`provider:model`, or `none`. Null: the workspace's own." }),
      channel_id: z.string().max(100).nullable().default(null).meta({
        description: 'The channel that shows the answer. Null: none.',
      }),
      curated: curatedDraftSchema.nullable().default(null).meta({
        description: 'A curated answer to answer with as if it were stored. Null: none.',
      }),
    })
    .meta({ examples: [{ query: 'Can I send a box back?' }] }),
  response: {
    200: rehearsalSchema,
    ...errorResponses(
      'workspace_not_found',
      'channel_not_found',
      'channel_unreachable',
      'invalid_audience',
      'unknown_model',
      'provider_down',
      'model_provider_error',
      'upstream_timeout',
      'request_timeout',
    ),
  },
};

/** A model may take so long. */
export const rehearsalMs = 60_000;

const getChoicesSchema = {
  ...operatorRoute,
  summary: 'Show whom and what a question on trial can be asked as',
  operationId: 'getRehearsalChoices',
  description: 'Returns the values that `rehearseAnswer` takes here.',
  params: workspaceParamsSchema,
  response: {
    200: z
      .object({
        models: z.array(z.string()).meta({ description: 'Empty: answers are quoted from the documents.' }),
        audiences: z.array(z.string()),
        channels: z.array(z.object({ id: z.string(), name: z.string() })),
      })
      .meta({ id: 'RehearsalChoices' }),
    ...errorResponses('workspace_not_found'),
  },
};

/** Registers the routes that answer on trial. */
export function askRoutes(app: TypedApp, runtime: Runtime): void {
  app.get('/ask', { schema: getChoicesSchema, ...needs('knowledge:read') }, async (request) => {
    const workspace = requestWorkspace.get(request);
    return {
      models: modelChoices(runtime, workspace),
      audiences: [...(workspace.settings.audiences ?? [])],
      channels: await findChannels(runtime, workspace.id),
    };
  });
  postAsk(app, runtime);
}

/** The values of `model`: the models that the workspace chose, and those of the installation. Empty without a model. */
export function modelChoices(
  { config }: Pick<Runtime, 'config'>,
  { settings: { model } }: Pick<Workspace, 'settings'>,
): string[] {
  const chosen = model === undefined ? [] : (parseModelChain(model) ?? []);
  const models = [...new Set([...chosen, ...config.LLM_MODELS].map(modelName))];
  return models.length === 0 ? [] : [...models, NO_MODEL];
}

/** The channels that render an answer, by name. */
async function findChannels({ channels }: Runtime, workspaceId: string) {
  const { items } = await channels.list(workspaceId, { limit: 100 });
  return items
    .filter(({ enabled }) => enabled)
    .map(({ id, name }) => ({ id, name }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

function postAsk(app: TypedApp, runtime: Runtime): void {
  const findAccount = createAccountFinder(runtime);
  const openChannel = async (workspaceId: string, id: string | null) => {
    if (id === null) return null;
    await runtime.channels.get(workspaceId, id);
    const open = await findAccount(id);
    if (open === null) throw new AppError('channel_unreachable');
    return open;
  };
  app.post('/ask', { schema: postAskSchema, ...needs('knowledge:read') }, async (request) => {
    const workspace = requestWorkspace.get(request);
    const { query, turns, audience, language, model, curated, channel_id: channelId } = request.body;
    const open = await openChannel(workspace.id, channelId);
    assertKnownAudience(workspace, audience);
    if (model !== null && !modelChoices(runtime, workspace).includes(model))
      throw new AppError('unknown_model');
    const signal = AbortSignal.timeout(rehearsalMs);
    const startedAt = runtime.clock.now().getTime();
    const rehearsal = await rehearse(runtime, {
      ...{ workspace, audience, language, model, signal },
      text: query,
      earlierTurns: turns,
      summary: null,
      channel: open?.account.channel ?? 'api',
      conversationId: null,
      strictness: workspace.settings.strictness ?? 'strict',
      drafted: curated,
    }).catch((error: unknown) => {
      throw signal.aborted ? new AppError('request_timeout', { cause: error }) : error;
    });
    const latencyMs = Math.max(0, runtime.clock.now().getTime() - startedAt);
    return {
      ...presentRehearsal(rehearsal, tiersOf(workspace.settings)),
      latency_ms: latencyMs,
      rendered: open && renderIn(open, rehearsal.answer, language ?? chooseLanguage([query], [])),
    };
  });
}

/** Renders an answer as the connector would for a visitor. Nothing is sent. */
function renderIn(open: OpenAccount, answer: Answer, language: string): z.output<typeof renderedSchema> {
  const asked = { id: 'msg_preview', language, disclosure: null, replyTo: null, offers: true };
  const { account, connector } = open;
  const to = { lane: 'preview', address: connector.about.sampleAddress ?? null };
  return presentRendered(open, connector.open(account).render(toBotReply(answer, asked), to));
}

export function presentRehearsal({ answer, decision, passages }: Rehearsal, tiers: Tiers) {
  const used = new Set(answer.citations.flatMap(({ chunkIds }) => chunkIds));
  return {
    answer: answer.text,
    confidence: answer.confidence,
    ...presentGrounds(answer),
    sources: answer.sources.map(presentSource),
    citations: answer.citations.map(presentCitation),
    passages: passages.map((passage) => ({
      document_id: passage.documentId,
      chunk_id: passage.chunkId,
      title: passage.title,
      headings: [...passage.headings],
      text: passage.body,
      score: roundScore(passage.score),
      read: passage.unitShares !== undefined,
      use: used.has(passage.chunkId) ? ('used' as const) : useOf(passage.score, tiers),
    })),
    decision,
    limits: { ...tiers, high: searchRules.highThreshold },
    tokens_used: answer.tokensUsed,
    rendered: null,
  };
}

function useOf(score: number, tiers: Tiers): Exclude<(typeof uses)[number], 'used'> {
  const names = { answer: 'near', maybe: 'unsure', none: 'below' } as const;
  return names[tierOf(score, tiers)];
}
