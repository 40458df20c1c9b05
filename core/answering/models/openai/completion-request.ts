import { ANSWER_TOKENS } from '../answer-tokens.ts';
import type { ChatMessage, ChatRequest } from '../chat-model.ts';

/** Reasoning models take no temperature, and their thoughts count as tokens of the answer. */
const REASONING = /^(?:o\d|gpt-[5-9](?!-chat))/;
/** What suits answers from passages: the same question gets the same answer. */
const DEFAULT_TEMPERATURE = 0;

/** The body of a chat completion's request. Pure. */
export function completionRequest(
  model: string,
  { messages, temperature, streamed, tools = [] }: Omit<ChatRequest, 'signal'>,
): object {
  const isReasoning = REASONING.test(model);
  return {
    model,
    messages: messages.map(({ role, text }) => ({ role: isReasoning ? roleFor(role) : role, content: text })),
    ...(!isReasoning && { temperature: temperature ?? DEFAULT_TEMPERATURE, max_tokens: ANSWER_TOKENS }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(streamed && { stream: true, stream_options: { include_usage: true } }),
  };
}

function roleFor(role: ChatMessage['role']): string {
  return role === 'system' ? 'developer' : role;
}
