import type { AnswerTrace } from '../contract/trace/answer-trace.ts';
import type { AnsweredSpan, AnswerTimes, EndedSpan, SpanPlace } from './spans.ts';
import { placeBelow, placeOf, placesBelow } from './trace-ids.ts';

/** The names that the conventions for generative AI give to providers. Others keep their own. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  'google-genai': 'gcp.gemini',
  'google-vertexai': 'gcp.vertex_ai',
  'google-vertexai-web': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  mistralai: 'mistral_ai',
  azure_openai: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  aws: 'aws.bedrock',
  xai: 'x_ai',
};

/**
 * Returns the spans of an answer, from its own trace: `answer`, below it the stages, and below these the searched texts, the
 * calls of models and the skills. They follow the conventions for generative AI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/) and name their kind for OpenInference. They carry ids and numbers
 * only. `seed` tells answers of one trace apart: the message's id, or a random one if nothing was stored. Pure.
 */
export function toAnswerSpans(answer: AnsweredSpan, seed: string): readonly EndedSpan[] {
  const root = toRoot(answer, seed);
  const next = placesBelow(root);
  const stages = answer.times.stages.map((times) => ({ ...times, place: next() }));
  const parentAt = (at: number) =>
    stages.findLast((stage) => stage.at <= at && at <= stage.until)?.place.spanId ?? root.spanId;
  const below = (at: number, ms: number, place = next()) => ({
    ...place,
    parentSpanId: parentAt(at),
    startMs: at,
    endMs: at + ms,
  });
  return [
    root,
    ...stages.map(({ stage, at, until, place }) => ({
      ...below(at, until - at, place),
      parentSpanId: root.spanId,
      name: stage,
      kind: 'internal' as const,
      attributes: { 'openinference.span.kind': 'CHAIN' },
      error: null,
    })),
    ...toReadings(answer.trace, answer.times, below),
    ...toModelCalls(answer.trace, answer.times, below),
    ...toSkills(answer.trace, answer.times, below),
  ];
}

type Timed = Pick<EndedSpan, 'startMs' | 'endMs' | 'parentSpanId'> & SpanPlace;
type Below = (at: number, ms: number) => Timed;

/** A caller's trace and one of a channel may hold several answers; an answer of its own is the root of its trace. */
function toRoot(answer: AnsweredSpan, seed: string): EndedSpan {
  const { parent, trace, messageId, startMs } = answer;
  const error = findFailure(answer);
  return {
    ...(parent === null ? placeOf({ messageId: seed }) : placeBelow(parent, `answer ${seed}`)),
    parentSpanId: parent?.spanId ?? null,
    name: 'answer',
    kind: parent?.isCallerSampled === null ? 'internal' : 'server',
    startMs,
    endMs: answer.endMs,
    error,
    attributes: {
      'openinference.span.kind': 'AGENT',
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'parley',
      'gen_ai.conversation.id': answer.conversationId ?? undefined,
      'parley.workspace.id': answer.workspaceId,
      'parley.channel.kind': answer.channel,
      'parley.message.id': messageId ?? undefined,
      'parley.answer.path': answer.failed === null ? trace.path : 'failed',
      'parley.answer.confidence': answer.confidence ?? undefined,
      'parley.answer.tokens': answer.tokens,
      'parley.answer.corrected': trace.settings.corrected,
      'parley.question.language': trace.question.language,
      'parley.question.turns': trace.question.turns,
      'parley.passages.found': trace.found,
      'parley.passages.used': trace.passages.flatMap(({ use, chunk }) => (use === 'used' ? chunk : [])),
      'parley.sentences.dropped': trace.sentences.filter(({ fate }) => fate !== 'kept').length,
      'parley.models.paused': trace.attempts.filter(({ outcome }) => outcome === 'paused').length,
    },
  };
}

function findFailure({ failed, trace }: AnsweredSpan): string | null {
  if (failed !== null) return errorType(failed);
  return trace.path === 'cancelled' || trace.path === 'timeout' ? trace.path : null;
}

/** Messages of errors can hold texts, so the code or the class has to do. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name;
}

function toReadings({ readings }: AnswerTrace, times: AnswerTimes, below: Below): readonly EndedSpan[] {
  return readings.flatMap(({ part, score, ms }, index) => {
    const at = times.readings[index];
    if (at === undefined) return [];
    return {
      ...below(at, ms),
      name: 'search',
      kind: 'internal' as const,
      attributes: {
        'openinference.span.kind': 'RETRIEVER',
        'parley.search.part': part,
        'parley.search.score': score,
      },
      error: null,
    };
  });
}

/** A model that is paused was not called. */
function toModelCalls({ attempts }: AnswerTrace, times: AnswerTimes, below: Below): readonly EndedSpan[] {
  return attempts.flatMap(({ for: purpose, model, outcome, ms, tokens }, index) => {
    const time = times.attempts[index];
    if (time === undefined || outcome === 'paused') return [];
    const { provider, name } = splitModel(model);
    const { input } = time;
    return {
      ...below(time.at, ms),
      name: `chat ${name}`,
      kind: 'client' as const,
      attributes: {
        'openinference.span.kind': 'LLM',
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': PROVIDER_NAMES[provider] ?? provider,
        'gen_ai.request.model': name,
        'gen_ai.usage.input_tokens': input > 0 ? input : undefined,
        'gen_ai.usage.output_tokens': input > 0 ? Math.max(0, tokens - input) : undefined,
        'gen_ai.usage.total_tokens': tokens > 0 ? tokens : undefined,
        'parley.model.for': purpose,
      },
      error: outcome === 'ok' ? null : outcome,
    };
  });
}

/** Models are named `provider:model`. */
function splitModel(model: string): { readonly provider: string; readonly name: string } {
  const colon = model.indexOf(':');
  return { provider: model.slice(0, Math.max(0, colon)) || 'unknown', name: model.slice(colon + 1) };
}

function toSkills({ skills }: AnswerTrace, times: AnswerTimes, below: Below): readonly EndedSpan[] {
  return skills.flatMap(({ name, by, outcome, ms }, index) => {
    const at = times.skills[index];
    if (at === undefined) return [];
    return {
      ...below(at, ms),
      name: `execute_tool ${name}`,
      kind: 'internal' as const,
      attributes: {
        'openinference.span.kind': 'TOOL',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'parley.skill.by': by,
        'parley.skill.outcome': outcome,
      },
      error: outcome === 'failed' ? 'failed' : null,
    };
  });
}
