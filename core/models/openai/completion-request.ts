import type { ReasoningEffort } from '../../config/provider-table.ts';
import { ANSWER_TOKENS, type ChatMessage, type ChatRequest } from '../chat-model.ts';
import { readField } from '../provider-failure.ts';
import { THINKING_TOKENS, type Thinking } from '../thinking.ts';

/** The fields that a server accepts for a model: at first a guess by the model's name, then learned from refusals. */
export interface Accepted {
  /** The field that limits the output. */
  readonly limit: 'max_tokens' | 'max_completion_tokens' | null;
  readonly temperature: boolean;
  readonly streamOptions: boolean;
  readonly effort: boolean;
  readonly systemRole: boolean;
}

/** Reasoning models of OpenAI accept no temperature and no `max_tokens`. */
export function guessAccepted({ takesEffort }: Thinking): Accepted {
  return {
    limit: takesEffort ? 'max_completion_tokens' : 'max_tokens',
    temperature: !takesEffort,
    streamOptions: true,
    effort: true,
    systemRole: true,
  };
}

interface BuildOptions {
  readonly model: string;
  readonly accepted: Accepted;
  readonly thinking: Pick<Thinking, 'thinks' | 'takesEffort'>;
  /** The configured effort; undefined for a low one where the model is known to accept it. */
  readonly effort?: ReasoningEffort | undefined;
}

/** Makes answers reproducible: the same question gets the same answer. */
const DEFAULT_TEMPERATURE = 0;

/** Builds the body of a chat completions request. Pure. */
export function buildRequest(
  { model, accepted, thinking, effort }: BuildOptions,
  { messages, temperature, streamed, tools = [] }: Omit<ChatRequest, 'signal'>,
): object {
  const { thinks, takesEffort } = thinking;
  const wanted = thinks ? (effort ?? (takesEffort ? 'low' : undefined)) : undefined;
  return {
    model,
    messages: (accepted.systemRole ? messages : withoutSystem(messages)).map(({ role, text, image }) => ({
      role,
      content: image === undefined ? text : withImage(text, image),
    })),
    ...(accepted.temperature && { temperature: temperature ?? DEFAULT_TEMPERATURE }),
    ...(accepted.limit !== null && { [accepted.limit]: thinks ? THINKING_TOKENS : ANSWER_TOKENS }),
    ...(accepted.effort && wanted !== undefined && { reasoning_effort: wanted }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(streamed && {
      stream: true,
      ...(accepted.streamOptions && { stream_options: { include_usage: true } }),
    }),
  };
}

function withImage(text: string, url: string): readonly object[] {
  return [
    { type: 'text', text },
    { type: 'image_url', image_url: { url } },
  ];
}

/** Moves the instructions into the first question, for chat templates without a system role. */
function withoutSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  const [first, ...rest] = messages.filter(({ role }) => role !== 'system');
  if (first === undefined) return messages;
  return [{ ...first, text: [...system, first.text].join('\n\n') }, ...rest];
}

/**
 * Returns what a server accepts, given that it refused a request with status 400 or 422 and this explanation. Returns null
 * if the refusal has another reason. Servers name the field in their own words: "Unsupported parameter: 'max_tokens'" and
 * "Unrecognized request argument supplied: stream_options" (OpenAI, Azure), "Extra inputs are not permitted" with the
 * path of the field (vLLM, Mistral), "System role not supported" (chat templates).
 */
export function learnFromRefusal(accepted: Accepted, error: unknown): Accepted | null {
  const status = readField(error, 'status');
  if (!(error instanceof Error) || (status !== 400 && status !== 422)) return null;
  const text = error.message;
  const { limit } = accepted;
  if (limit !== null && namesField(text, limit)) {
    const isOther = limit === 'max_tokens' && namesField(text, 'max_completion_tokens');
    return { ...accepted, limit: isOther ? 'max_completion_tokens' : null };
  }
  if (accepted.temperature && namesField(text, 'temperature')) return { ...accepted, temperature: false };
  if (accepted.streamOptions && namesField(text, 'stream_options')) {
    return { ...accepted, streamOptions: false };
  }
  if (accepted.effort && /reasoning_effort|reasoning effort/i.test(text))
    return { ...accepted, effort: false };
  if (accepted.systemRole && /system role|role 'system'|roles must alternate/i.test(text)) {
    return { ...accepted, systemRole: false };
  }
  return null;
}

function namesField(text: string, field: string): boolean {
  const start = text.indexOf(field);
  return (
    start >= 0 && !/[a-z_]/.test(text.charAt(start - 1)) && !/[a-z_]/.test(text.charAt(start + field.length))
  );
}
