import { z } from 'zod';
import type { AskResult } from '../../core/answering/ask.ts';
import type { PublicQuestion } from '../../core/answering/ask-publicly.ts';
import { AppError } from '../../core/base/errors.ts';
import type { EarlierTurn } from '../../core/contract/answer.ts';
import type { PublicAgent } from './public-agent.ts';

const maxPreviousResponses = 200;

const previousResponseSchema = z
  .looseObject({
    role: z.string().optional(),
    content: z.string().optional(),
    conversation_id: z.string().optional(),
  })
  .refine(({ role, content, conversation_id }) => {
    const isTurn = role !== undefined && content !== undefined;
    return isTurn || conversation_id !== undefined;
  });

/** Earlier messages, oldest first. An item can also be the conversation_id of an earlier answer. */
export const previousResponsesSchema = z
  .array(z.union([previousResponseSchema, z.string()]))
  .max(maxPreviousResponses)
  .meta({
    description:
      'Earlier turns, oldest first. To continue a thread, send its conversation_id as an item: ' +
      '{"role": "conversation_id", "content": "conv_…"}, an object with the property conversation_id, or just the id.',
  });

type PreviousResponse = z.output<typeof previousResponsesSchema>[number];

interface Thread {
  /** The latest conversation id in the items; null if there is none. */
  readonly conversationId: string | null;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
}

const maxEarlierTurns = 4;
/** In characters. Retrieval uses no more of a text. */
const maxTurnCharacters = 1_000;
const conversationIdPattern = /^conv_\w{1,100}$/;

/** Parses `previous_responses` into the thread that a question belongs to. */
export function parseThread(items: readonly PreviousResponse[], question: string): Thread {
  const turns: EarlierTurn[] = [];
  for (const { role, content } of items.filter((item) => typeof item !== 'string')) {
    if (content === undefined || conversationIdPattern.test(content.trim())) continue;
    const text = content.trim().slice(0, maxTurnCharacters);
    if (role === 'user') turns.push({ question: text, answer: null });
    const last = turns.at(-1);
    if (role === 'assistant' && last !== undefined) turns.splice(-1, 1, { ...last, answer: text });
  }
  return { conversationId: latestConversation(items), earlierTurns: withoutQuestion(turns, question) };
}

function latestConversation(items: readonly PreviousResponse[]): string | null {
  const texts = items
    .flatMap((item) => (typeof item === 'string' ? [item] : [item.conversation_id, item.content]))
    .flatMap((text) => text?.trim() ?? []);
  return texts.findLast((text) => conversationIdPattern.test(text)) ?? null;
}

/** Drops the last turn if it repeats the question, because some clients send the complete conversation. */
function withoutQuestion(turns: readonly EarlierTurn[], question: string): readonly EarlierTurn[] {
  const last = turns.at(-1);
  const repeated = last?.answer === null && last.question === question.slice(0, maxTurnCharacters);
  return (repeated ? turns.slice(0, -1) : turns).slice(-maxEarlierTurns);
}

/** Answers in the given conversation, or in a new one if the id does not belong to the public agent. */
export async function askInThread(
  agent: PublicAgent,
  question: Omit<PublicQuestion, 'workspace' | 'caller'>,
): Promise<AskResult> {
  try {
    return await agent.ask(question);
  } catch (error) {
    const unknown = error instanceof AppError && error.code === 'conversation_not_found';
    if (!unknown || question.conversationId === null) throw error;
    return agent.ask({ ...question, conversationId: null });
  }
}
