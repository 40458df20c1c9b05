import type { ConversationRef, Json } from './account.ts';

/**
 * A button that a reply may show, on platforms that have buttons. `helped` stands below an answer that says it is unsure:
 * its press is a positive rating of that answer.
 */
export const offers = ['feedback', 'helped', 'human'] as const;

export type Offer = (typeof offers)[number];

/** The earlier conversation, for agents who take it over. */
export interface ConversationRecap {
  /** A summary of the older part; null if none has been written. */
  readonly summary: string | null;
  /** The most recent turns, oldest first. `answer` is Markdown, or null if the question was not answered. */
  readonly turns: readonly { readonly question: string; readonly answer: string | null }[];
}

/** A file of an agent. */
export interface ReplyFile {
  /** The name without control characters. */
  readonly name: string;
  /** The type detected from the bytes. */
  readonly contentType: string;
  readonly byteCount: number;
  /** A link that anybody who has it can open, without signing in. */
  readonly url: string;
}

/** A message to a visitor, before it is rendered for the platform. */
export interface Reply {
  /** The id of the stored message, equal for every rendering. Connectors can use it to recognise a repeated send. */
  readonly id?: string;
  /** Replies with the author `bot` are marked as automated on platforms that have such a mark. */
  readonly author: 'bot' | 'agent';
  /** Markdown (CommonMark with tables and strikethrough). */
  readonly text: string;
  /**
   * The sentences of `text` that answer, as Markdown, for platforms without room for more: they show these first, and the
   * rest if the visitor asks for it. Absent: the text itself.
   */
  readonly lead?: string;
  /** Best first, at most three. */
  readonly sources: readonly { readonly title: string; readonly url: string | null }[];
  /** The platform's id of the message that this reply answers; null if it answers none. */
  readonly replyTo: string | null;
  readonly offers: readonly Offer[];
  /** The visitor's language (ISO 639-1), for the labels of buttons and added texts. Absent if unknown. */
  readonly language?: string;
  /** Whether the conversation is handed over to an agent from here on. */
  readonly handover: boolean;
  /** Present if the bot hands the conversation over: the turns up to the question that caused the handover. */
  readonly recap?: ConversationRecap;
  /**
   * Files of an agent, for connectors with the facet `files: 'shown'`. `text` may then be empty. For all others, `text`
   * ends with a line for each file.
   */
  readonly files?: readonly ReplyFile[];
}

/** Moves the files of a reply into its text: a line with name and link for each. Pure. */
export function withFileLinks(reply: Reply): Reply {
  const { files = [], ...rest } = reply;
  if (files.length === 0) return rest;
  const lines = files.map(({ name, url }) => `${escapeMarkdown(name)}: <${url}>`);
  const paragraphs = [reply.text.trimEnd(), lines.join('  \n')];
  return { ...rest, text: paragraphs.filter((text) => text !== '').join('\n\n') };
}

/**
 * Splits the files of a reply into those that the platform shows and the reply with links to all others. Pure.
 */
export function splitFiles(
  reply: Reply,
  isShown: (file: ReplyFile, index: number) => boolean,
): { readonly shown: readonly ReplyFile[]; readonly rest: Reply } {
  const { files = [] } = reply;
  const shown = files.filter(isShown);
  return { shown, rest: withFileLinks({ ...reply, files: files.filter((file) => !shown.includes(file)) }) };
}

/** Escapes all ASCII punctuation, as CommonMark permits. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, (sign) => `\\${sign}`);
}

/** One message in the platform's format. It is stored until it is sent. */
export interface OutboundPart {
  /** The connector's own data, as `deliver` receives it. */
  readonly content: Json;
  /**
   * Held back until the visitor requests it: `true` for the command `more`, a string for an `asked-for` event with that
   * name.
   */
  readonly onRequest?: true | string;
  /**
   * The key of the platform's request that collects the message (see `PullRequest`). The engine never calls `deliver`
   * for it.
   */
  readonly collectedBy?: string;
  /**
   * An idempotency key that the engine sets before it sends the part: equal for every attempt, unique for each part.
   * Platforms that deduplicate messages get it.
   */
  readonly key?: string;
}

/** The result of sending a part. */
export interface Receipt {
  /** The platform's id of the sent message. */
  readonly messageId: string;
  /** The address for the rest of the conversation, if sending this part changed it. */
  readonly moved?: ConversationRef;
}

/** A maximum number of answers within a period. */
export interface ReplyLimit {
  readonly count: number;
  /** The period in milliseconds. */
  readonly withinMs: number;
}

/** Limits that end a dialogue with a bot that does not identify itself as one. Replies of agents do not count. */
export interface ReplyLimits {
  readonly perConversation: ReplyLimit;
  /** The limit across all conversations of the sender. */
  readonly perSender: ReplyLimit;
}

/** A rate limit for sending (a token bucket). */
export interface Budget {
  /** Unique within the account. */
  readonly key: string;
  /** The average interval between two parts, in milliseconds. */
  readonly everyMs: number;
  /** How many parts may be sent at once after a pause. */
  readonly burst: number;
  /**
   * Set if the limit is shared by all accounts below one app account; it is then counted there. Otherwise each account
   * has a bucket of its own.
   */
  readonly ofApp?: true;
}
