import type { Account, ConversationRef } from './account.ts';
import type { Begin } from './beginning.ts';
import type { EarlierMessage } from './earlier-message.ts';
import type { DeliveryReport } from './inbound-event.ts';
import type { Introduction } from './introduction.ts';
import type { Json } from './json.ts';
import type { OutboundPart, Receipt } from './reply.ts';
import type { SpeakingWindow } from './speaking-window.ts';
import type { Streaming } from './streaming.ts';
import type { Tenancy } from './tenancy.ts';
import type { Tools } from './tools.ts';

/** A file of a visitor. */
export interface FetchedFile {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** What a guide may name of a channel that is not there yet. */
export interface GuideFacts {
  readonly name: string;
  /** Null where nobody knows at which address the world reaches us. */
  readonly webhookUrl: string | null;
}

/** Their presence tells that the platform has them. */
export interface Facets<Credentials, Settings> {
  readonly streaming?: Streaming<Credentials, Settings>;
  readonly window?: SpeakingWindow<Credentials, Settings>;
  readonly tenancy?: Tenancy<Credentials, Settings>;
  /** People of the workspace answer there themselves, and take conversations: that is looked for before an answer is stored. */
  readonly hasInbox?: true;
  /** Says what an operator does on the platform's own pages before he adds a channel, and what he pastes there. Pure. */
  guide?(facts: GuideFacts): string;
  /** Registers commands and the like when an account is added or changed, however its events come. It works without, too. */
  prepare?(account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
  /** What a visitor finds who opens the conversation before he says anything. */
  welcome?(to: ConversationRef, account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
  /**
   * What was said in a conversation before the message that first speaks to us there, oldest first; nothing where that one
   * began it. Called when it is about to be answered: what fails of it, or takes long, it is answered without.
   */
  earlier?(
    joined: { readonly to: ConversationRef; readonly messageId: string },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<readonly EarlierMessage[]>;
  /**
   * Who a person is, where events do not tell it. Called for each message of his, so it is remembered by the connector for
   * a while; what fails of it, or takes long, is done without.
   */
  introduce?(
    person: { readonly id: string; readonly to: ConversationRef },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<Introduction>;
  /** Fetches a file that came with a message, for who wants to see it. Refuses what is not the platform's, or too large. */
  fetchFile?(reference: string, account: Account<Credentials, Settings>, tools: Tools): Promise<FetchedFile>;
  /**
   * Tells the platform that a delivery which asked for it was heard, so that it stops showing that it waits. Called once,
   * as soon as the delivery is stored and before it is dealt with; what fails of it nobody misses.
   */
  acknowledge?(native: Json, account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
  /**
   * After how long without a word the platform seems to have stopped posting, having posted before: there are some that do
   * so when they were refused too often. Of one that is listened to: after how long it is not connected to, two minutes at
   * most. Null where silence means nothing, or no more than elsewhere. Pure.
   */
  staleAfterMs?(account: Account<Credentials, Settings>): number | null;
  /** What became of a message, where the platform has told nothing more of it than that it was taken. */
  readonly outcome?: {
    /** It is asked then, once: so long after the message was sent. */
    readonly afterMs: number;
    /** Null where it is still on its way. */
    ask(
      messageId: string,
      account: Account<Credentials, Settings>,
      tools: Tools,
    ): Promise<DeliveryReport | null>;
  };
  /**
   * What the platform has that says the same in the same place, and may be this part: oldest first, each as `deliver` would
   * have told it. Asked before a part is sent again that may have been taken, as nobody heard how its sending ended; it is
   * not sent where one is found that is no other part.
   */
  findSent?(
    sought: { readonly part: OutboundPart; readonly to: ConversationRef; readonly since: Date },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<readonly Receipt[]>;
  /** Shows that an answer is coming; the platform forgets it by itself after `lastsMs`. */
  readonly typing?: {
    readonly lastsMs: number;
    /** It tells that the visitor was read as well: where it is not set, what is answered at once needs no sign. */
    readonly marksRead?: boolean;
    show(to: ConversationRef, account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
  };
  /** Begins a conversation. */
  readonly begin?: Begin<Credentials, Settings>;
  /** Tells the platform where to post. */
  enrol?(account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
  /** Ends that, when the account is removed. */
  retire?(account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
}
