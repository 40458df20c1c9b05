import { type AskDependencies, type AskOptions, type AskResult, ask } from '../answering/ask.ts';
import { handoverStatuses } from '../conversations/conversation-values.ts';
import { storeMessage } from '../conversations/store-message.ts';
import type { Runtime } from '../runtime.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { Visitor } from './visitor.ts';
import { visitorConversation } from './visitor-conversation.ts';

type Dependencies = AskDependencies & Pick<Runtime, 'database' | 'clock' | 'wakeDeliveries'>;

/** What a visitor says to us. */
export interface Said {
  readonly workspace: Workspace;
  readonly visitor: Visitor;
  readonly channel: string;
  readonly text: string;
  /** A skill that he pressed a button for. */
  readonly skill?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** Keeps it for the person who has the conversation: the message's id. Null where nobody has: then it is answered. */
export async function tellPerson(
  { database, clock, wakeDeliveries }: Pick<Dependencies, 'database' | 'clock' | 'wakeDeliveries'>,
  { visitor, text, metadata }: Said,
): Promise<string | null> {
  const now = clock.now();
  const conversation = await visitorConversation(database.kysely, visitor, now);
  if (!handoverStatuses.some((status) => status === conversation?.status) || conversation === null)
    return null;
  return tellingTransaction({ database: database.kysely, wakeDeliveries }, (transaction) =>
    storeMessage(transaction, {
      workspaceId: visitor.workspaceId,
      conversationId: conversation.id,
      role: 'user',
      content: text,
      metadata,
      author: null,
      now,
    }),
  );
}

/** Answers it, in his conversation or a new one. Throws what `ask` throws. */
export async function answerVisitor(
  dependencies: Dependencies,
  { workspace, visitor, channel, text, skill, metadata }: Said,
  options: AskOptions,
): Promise<AskResult> {
  const { database, clock } = dependencies;
  const conversation = await visitorConversation(database.kysely, visitor, clock.now());
  return ask(
    dependencies,
    {
      workspace,
      channel,
      question: text,
      conversationId: conversation?.id ?? null,
      sessionId: visitor.id,
      topK: 5,
      strictness: null,
      temperature: null,
      audience: [],
      documentIds: null,
      identity: { user: null, token: null },
      visitor: visitor.verified,
      customer: visitor.customer,
      skill,
      metadata,
    },
    options,
  );
}
