import { handoverStatuses } from '../conversations/conversation-values.ts';
import { TakenOver } from '../conversations/taken-over.ts';
import type { Runtime } from '../runtime.ts';
import type { Visitor } from './visitor.ts';
import { type VisitorConversation, visitorConversation } from './visitor-conversation.ts';

type Dependencies = Pick<Runtime, 'database' | 'clock' | 'log' | 'visitorNews'>;

/** Whether a person has the conversation, or was asked for. */
export function isWithPerson(conversation: VisitorConversation | null): conversation is VisitorConversation {
  return handoverStatuses.some((status) => status === conversation?.status);
}

/**
 * Does `work` with a signal that is aborted, with a TakenOver, as soon as a person takes the visitor's conversation over.
 * Where nobody tells of it in time, what is stored with an answer looks for itself.
 */
export async function heedTakeover<Result>(
  { database, clock, log, visitorNews }: Dependencies,
  visitor: Visitor,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const taken = new AbortController();
  const look = async () => {
    if (isWithPerson(await visitorConversation(database.kysely, visitor, clock.now())))
      taken.abort(new TakenOver());
  };
  const tell = () =>
    void look().catch((err: unknown) => log.warn({ err }, 'who has a conversation could not be looked up'));
  const end = await visitorNews.listen(visitor.id, tell);
  try {
    return await work(taken.signal);
  } catch (error) {
    // However what was stopped says so.
    throw taken.signal.aborted ? taken.signal.reason : error;
  } finally {
    end();
  }
}
