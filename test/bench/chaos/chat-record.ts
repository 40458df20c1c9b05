/** The record of one chat: its messages, the rows stored for them, and the answers. */
export interface ChatRecord {
  readonly chat: number;
  /** The texts that were acknowledged, in order. */
  readonly acknowledged: readonly string[];
  /** The visitor's messages of its conversation, in order; those of a burst are one, line by line. */
  readonly turns: readonly string[];
  readonly conversations: number;
  /** How often something was sent to it. */
  readonly answers: number;
  /** How many answers its conversation holds. */
  readonly kept: number;
}

/** A conversation as it is stored. */
export interface StoredConversation {
  /** The visitor's messages, oldest first. */
  readonly turns: readonly string[];
  readonly answers: number;
}

/** Finds the chat of a text, by its words: see `messageText`. Pure. */
export function chatRecord(
  stored: readonly StoredConversation[],
  { chat, ...known }: Pick<ChatRecord, 'chat' | 'acknowledged' | 'answers'>,
): ChatRecord {
  const own = stored.filter(({ turns }) => turns.some((text) => text.startsWith(beginning(chat))));
  return {
    chat,
    ...known,
    turns: own.flatMap(({ turns }) => turns),
    conversations: own.length,
    kept: own.reduce((sum, { answers }) => sum + answers, 0),
  };
}

/** Returns the text of a message; each is different. `index`: from 1. */
export function messageText(chat: number, index: number): string {
  return `${beginning(chat)}message ${index}`;
}

function beginning(chat: number): string {
  return `chat ${chat} `;
}
