import type { ConversationRef, Json } from './account.ts';

/** What a reply may offer the visitor to press, where the platform has such a thing. */
export type Offer = 'feedback' | 'human';

/** What was said before, for the people who get a conversation. */
export interface ConversationRecap {
  /** What was said longer ago, in few words; null where nobody has summed it up. */
  readonly summary: string | null;
  /** The last of it, oldest first. An answer, in Markdown, is null where there was none. */
  readonly turns: readonly { readonly question: string; readonly answer: string | null }[];
}

/** What is to be said. */
export interface Reply {
  /** Ours, and the same however often it is rendered: what a repeated send may be told by. */
  readonly id?: string;
  /** What a machine said is marked as that where the platform has a mark for it. */
  readonly author: 'bot' | 'agent';
  /** Markdown (CommonMark with tables and strikethrough). */
  readonly text: string;
  /** Best first, at most three. */
  readonly sources: readonly { readonly title: string; readonly url: string | null }[];
  /** The platform's id of the message that this answers; null where it answers none. */
  readonly replyTo: string | null;
  readonly offers: readonly Offer[];
  /** ISO 639-1, of the visitor: for the words of what is offered or added. Absent where it is not told. */
  readonly language?: string;
  /** Whether a person is to have the conversation from now on. */
  readonly handover: boolean;
  /** Where the bot hands it over: up to the question that led to that. */
  readonly recap?: ConversationRecap;
}

/** One message as the platform takes it. It is stored until it is sent. */
export interface OutboundPart {
  readonly content: Json;
  /** Kept until the visitor asks for more; where it is a word, until he asks for that: see `asked-for`. */
  readonly onRequest?: true | string;
  /** Kept for a request of the platform that collects under this key: see Collection. `deliver` is never called for it. */
  readonly collectedBy?: string;
  /** Set where it is to be sent: the same for each try of it, and no other part's. For platforms that take a message once. */
  readonly key?: string;
}

export interface Receipt {
  /** The platform's id of what was sent. */
  readonly messageId: string;
  /** What the rest of the conversation is to be sent to from now on, where that has changed. */
  readonly moved?: ConversationRef;
}

/** So many answers within a time. */
export interface ReplyLimit {
  readonly count: number;
  readonly withinMs: number;
}

/** What ends a dialogue with a machine that does not say that it is one. What people wrote does not count. */
export interface ReplyLimits {
  readonly perConversation: ReplyLimit;
  /** Over all his conversations. */
  readonly perSender: ReplyLimit;
}

/** So much may be sent under a key. */
export interface Budget {
  /** Unique within the account. */
  readonly key: string;
  /** On average, one in so many milliseconds. */
  readonly everyMs: number;
  /** As many may go at once after a pause. */
  readonly burst: number;
  /** One for all accounts that share an app's token, and counted where that is; each account has its own else. */
  readonly ofApp?: true;
}
