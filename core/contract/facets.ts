import type { Account, ConversationRef, Json, Tools } from './account.ts';
import type { DeliveryReport, RememberedValue, Sender } from './inbound.ts';
import type { OutboundPart, Receipt, Reply } from './outbound.ts';

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
  readonly window?: MessagingWindow<Credentials, Settings>;
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
  fetchThreadContext?(
    joined: { readonly to: ConversationRef; readonly messageId: string },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<readonly EarlierMessage[]>;
  /**
   * Who a person is, where events do not tell it. Called for each message of his, so it is remembered by the connector for
   * a while; what fails of it, or takes long, is done without.
   */
  fetchSenderProfile?(
    person: { readonly id: string; readonly to: ConversationRef },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<SenderProfile>;
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
  readonly startConversation?: StartConversation<Credentials, Settings>;
  /** Tells the platform where to post. */
  registerWebhook?(account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
  /** Ends that, when the account is removed. */
  unregisterWebhook?(account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
}

/** An answer that is shown while it is made. */
export interface Draft {
  /** What the platform calls it: stored, so that another process can end what this one began. */
  readonly state: Json;
}

/** Shows answers while they are made. What fails of it costs nothing: the whole answer is sent in the end. */
export interface Streaming<Credentials, Settings> {
  /** More often than this it is not called. */
  readonly everyMs: number;
  /** Whether it is possible there, and wanted of this account. */
  applies(to: ConversationRef, account: Account<Credentials, Settings>): boolean;
  /** Shows the first words. `text` is Markdown, as it is so far. */
  begin(
    beginning: { readonly text: string; readonly replyTo: string | null; readonly to: ConversationRef },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<Draft>;
  /** Shows more of it: `text` begins with `shown`, which is what was shown before. */
  show(
    more: {
      readonly draft: Draft;
      readonly text: string;
      readonly shown: string;
      readonly to: ConversationRef;
    },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<Draft>;
  /** Puts the first part of the reply in its place, as it is stored: whatever was shown of it before. */
  end(
    ending: { readonly draft: Draft; readonly part: OutboundPart; readonly to: ConversationRef },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<Receipt>;
  /** Nothing is said after all. */
  discard(
    draft: Draft,
    to: ConversationRef,
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<void>;
}

/** Who somebody is, as far as the platform vouches for it; null where it does not tell. */
export type SenderProfile = Pick<Sender, 'name' | 'email' | 'language'>;

/** Something that was said where nobody had spoken to us yet. */
export interface EarlierMessage {
  /** The name of who said it, or the platform's own for him. */
  readonly author: string;
  readonly text: string;
}

/** Somebody to whom we write first. */
interface Recipient {
  readonly email: string;
  readonly name: string | null;
  readonly subject: string;
  /** The same for what belongs together. */
  readonly key: string;
}

/** A conversation that we begin, and what is to be recalled when it is answered. */
interface StartedConversation {
  readonly to: ConversationRef;
  readonly remember: readonly RememberedValue[];
}

/** Where a conversation can be begun by us with whoever has an e-mail address. Pure. */
export type StartConversation<Credentials, Settings> = (
  addressee: Recipient,
  account: Account<Credentials, Settings>,
) => StartedConversation;

/** Where the platform lets us speak only for a while after the visitor did. */
export interface MessagingWindow<Credentials, Settings> {
  readonly lastsMs: number;
  /** Why nothing may be said after that, and what to do: for who wants to. */
  readonly reason: string;
  /** Whether the window concerns a conversation. */
  appliesTo(to: ConversationRef, account: Account<Credentials, Settings>): boolean;
  /** What is sent, at any time, in place of a reply that is too late; null where there is nothing. */
  renderTemplate(
    reply: Reply,
    to: ConversationRef,
    account: Account<Credentials, Settings>,
  ): OutboundPart | null;
  /** Whether a part may go out at any time. */
  isTimeless(part: OutboundPart): boolean;
}

/**
 * One account of ours in which several of the platform's install us: a Slack app in many teams, a bot in many guilds. Each
 * is an account of its own, of whichever workspace, under the one that has the app: what it has not of its own is that
 * one's, `webhookUrl` and `secret` too. All comes to the one that has the app, whose deliveries say whose they are.
 */
export interface Tenancy<Credentials, Settings> {
  /** Of the settings: the tenant that an account is for; null for one that serves all that have none of their own. */
  tenantOf(account: Account<Credentials, Settings>): string | null;
  /** By OAuth; null where a tenant is added by its name alone, with the credentials of the account that it is under. */
  readonly oauth: {
    /** Where a person lets us into his team; the platform sends him back to `redirectUrl` with `state` and a code. */
    authoriseUrl(
      account: Account<Credentials, Settings>,
      back: { readonly redirectUrl: string; readonly state: string },
    ): string;
    /**
     * What the code is good for: credentials and settings of the new account, as its manifest has them. They may hold
     * those of the account that it is under: what is the same is kept there only. `tenantOf` them is `tenant`.
     */
    exchange(
      grant: { readonly code: string; readonly redirectUrl: string },
      account: Account<Credentials, Settings>,
      tools: Tools,
    ): Promise<{
      readonly tenant: string;
      readonly name: string;
      readonly credentials: Credentials;
      readonly settings: Settings;
    }>;
  } | null;
}
