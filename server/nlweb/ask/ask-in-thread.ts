import type { AskResult } from '../../../core/answering/ask.ts';
import type { PublicQuestion } from '../../../core/answering/public-question.ts';
import { AppError } from '../../../core/errors.ts';
import type { PublicAgent } from '../../public-agent.ts';

/** Answers within the conversation that is named, or in a new one where it is none of this surface's. */
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
