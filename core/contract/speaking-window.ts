import type { Account, ConversationRef } from './account.ts';
import type { OutboundPart, Reply } from './reply.ts';

/** Where the platform lets us speak only for a while after the visitor did. */
export interface SpeakingWindow<Credentials, Settings> {
  readonly lastsMs: number;
  /** Why nothing may be said after that, and what to do: for who wants to. */
  readonly because: string;
  /** Whether the window concerns a conversation. */
  applies(to: ConversationRef, account: Account<Credentials, Settings>): boolean;
  /** What is sent, at any time, in place of a reply that is too late; null where there is nothing. */
  instead(reply: Reply, to: ConversationRef, account: Account<Credentials, Settings>): OutboundPart | null;
  /** Whether a part may go out at any time. */
  isTimeless(part: OutboundPart): boolean;
}
