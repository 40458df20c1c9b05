import type { ConversationRef, Json, Tools } from './account.ts';
import type { DeliveryReport, RememberedValue, Sender } from './inbound.ts';
import type { ServerCheck } from './mail/mailbox-setup.ts';
import type { OutboundPart, Receipt, Reply } from './outbound.ts';

/** A file that a visitor sent. */
export interface FetchedFile {
  /** A MIME type. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A mail that belongs to no conversation, such as an invitation of a colleague. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Absent: the text alone. */
  readonly html?: string;
}

/** The facts that a set-up guide may use about a channel that does not exist yet. */
export interface GuideFacts {
  readonly name: string;
  /** Null if the installation's public address is not known. */
  readonly webhookUrl: string | null;
}

/** A conversation that the bot joined, with the message that was addressed to it. */
export interface JoinedThread {
  readonly to: ConversationRef;
  readonly messageId: string;
}

/** A sender, by the platform's id. */
export interface PersonReference {
  readonly id: string;
  readonly to: ConversationRef;
}

/** A part that the platform may have. */
export interface SoughtPart {
  readonly part: OutboundPart;
  readonly to: ConversationRef;
  readonly since: Date;
}

/** Optional abilities of an account. If a member is present, the platform supports the ability. */
export interface Facets {
  /** Sends a mail that belongs to no conversation. Resolves once the server has taken it. */
  sendMail?(mail: Mail, tools: Tools): Promise<void>;
  /** Signs in to each server of a mailbox, and returns a result for each. It stores and sends nothing. */
  checkServers?(tools: Tools): Promise<readonly ServerCheck[]>;
  /** Shows an answer while it is generated. */
  readonly streaming?: Streaming;
  /** The platform accepts messages only for some time after the visitor's last one. */
  readonly window?: MessagingWindow;
  /** One account of the installation serves several tenants of the platform. */
  readonly tenancy?: Tenancy;
  /**
   * Registers commands and similar optional set-up. It is called when an account is added or changed, for every kind
   * of intake. If it throws, a warning is logged and the channel stays usable.
   */
  prepare?(tools: Tools): Promise<void>;
  /**
   * Sends a greeting. It is called when a visitor opens the conversation before writing a first message. If it
   * throws, a warning is logged.
   */
  welcome?(to: ConversationRef, tools: Tools): Promise<void>;
  /**
   * Returns the messages of a conversation that precede the first message addressed to the bot, oldest first; empty
   * if that message opened the conversation. The engine calls it before that message is answered. If it throws or
   * takes too long, the message is answered without context.
   */
  fetchThreadContext?(joined: JoinedThread, tools: Tools): Promise<readonly EarlierMessage[]>;
  /**
   * Returns a sender's profile on platforms whose events do not include it. The engine calls it for each message of
   * the sender, so the connector caches the result. If it throws or takes too long, the message is handled without
   * the profile.
   */
  fetchSenderProfile?(person: PersonReference, tools: Tools): Promise<SenderProfile>;
  /**
   * Fetches the file of an attachment when an agent opens it. It refuses references outside the platform and files
   * that are too large by throwing a `ConnectorError`.
   */
  fetchFile?(reference: string, tools: Tools): Promise<FetchedFile>;
  /**
   * Confirms a delivery that has `acknowledge: true`, so that the platform stops showing a loading state. Called once,
   * after the delivery is stored and before it is handled. Failures are only logged.
   */
  acknowledge?(native: Json, tools: Tools): Promise<void>;
  /**
   * The silence in milliseconds after which a channel is reported as `stale`. It is measured from the last event
   * that the platform sent: some platforms stop posting after repeated failures. For a listener it is measured from the
   * last sign of a live connection and is capped at two minutes. Null if silence has no special meaning on this platform
   * (a listener still goes stale after two minutes).
   */
  readonly staleAfterMs?: number | null;
  /** Polls the fate of a message on platforms that only confirm its acceptance. */
  readonly outcome?: OutcomePoll;
  /**
   * Returns the messages in this conversation that the platform already has and that may be this part, oldest first,
   * with the receipts `deliver` would have returned. The engine calls it before a retry of a part whose first send
   * ended without a response. If one of them belongs to no other part, the part counts as sent and is not sent again.
   * `since` is the time of the first send, minus a tolerance for clock differences. If it throws an error with the
   * advice `backoff`, the retry is postponed; after any other error the part is sent again.
   */
  findSent?(sought: SoughtPart, tools: Tools): Promise<readonly Receipt[]>;
  /** Shows a typing indicator, which the platform removes after `lastsMs` milliseconds. */
  readonly typing?: Typing;
  /** Returns a new conversation with the holder of an e-mail address. Sends nothing. Pure. */
  startConversation?(addressee: Recipient): StartedConversation;
  /**
   * Registers the webhook URL with the platform. It is called when an account with webhook intake is added or
   * changed. If it throws, the channel's status becomes `error` with the platform's message.
   */
  registerWebhook?(tools: Tools): Promise<void>;
  /**
   * Removes the registration. Called when the account is removed, and before it is registered with changed data. Failures
   * are logged.
   */
  unregisterWebhook?(tools: Tools): Promise<void>;
}

/** Polls the fate of a message that the platform accepted. */
export interface OutcomePoll {
  /** The delay in milliseconds between sending a message and the one poll. */
  readonly afterMs: number;
  /** Returns null if the message is still in transit. */
  ask(messageId: string, tools: Tools): Promise<DeliveryReport | null>;
}

/** Shows that an answer is being written. */
export interface Typing {
  readonly lastsMs: number;
  /**
   * Whether the indicator also marks the visitor's message as read. If it does, it is shown for every message;
   * otherwise only for answers that take longer than a moment.
   */
  readonly marksRead?: boolean;
  show(to: ConversationRef, tools: Tools): Promise<void>;
}

/** A partial answer that the platform shows while the rest is generated. */
export interface Draft {
  /** The connector's handle for it. It is stored, so that another process can finish a draft after a crash. */
  readonly state: Json;
}

/** Shows answers while they are generated. Failures cost nothing: the complete answer is sent at the end as usual. */
export interface Streaming {
  /** The minimum interval between two calls, in milliseconds. */
  readonly everyMs: number;
  /** Returns whether streaming is possible in this conversation and enabled for this account. Pure. */
  applies(to: ConversationRef): boolean;
  /** Shows the first words. `text` is the answer so far, in Markdown. */
  begin(
    beginning: { readonly text: string; readonly replyTo: string | null; readonly to: ConversationRef },
    tools: Tools,
  ): Promise<Draft>;
  /** Updates the draft. `text` starts with `shown`, the text shown before. */
  show(
    more: {
      readonly draft: Draft;
      readonly text: string;
      readonly shown: string;
      readonly to: ConversationRef;
    },
    tools: Tools,
  ): Promise<Draft>;
  /** Replaces the draft with the first part of the reply, whatever the draft showed. */
  end(
    ending: { readonly draft: Draft; readonly part: OutboundPart; readonly to: ConversationRef },
    tools: Tools,
  ): Promise<Receipt>;
  /** Removes the draft, because no answer follows. */
  discard(draft: Draft, to: ConversationRef, tools: Tools): Promise<void>;
}

/** A person's profile as far as the platform vouches for it; unknown fields are null. */
export type SenderProfile = Pick<Sender, 'name' | 'email' | 'language'>;

/** A message written before the bot was first addressed. */
export interface EarlierMessage {
  /** The author's name, or their id on the platform. */
  readonly author: string;
  readonly text: string;
}

/** The recipient of a conversation that the bot opens. */
export interface Recipient {
  readonly email: string;
  readonly name: string | null;
  readonly subject: string;
  /** Identifies the thread: calls with the same key belong to the same conversation. */
  readonly key: string;
}

/** A conversation opened by the bot, with the values to remember for when the recipient replies. */
export interface StartedConversation {
  readonly to: ConversationRef;
  readonly remember: readonly RememberedValue[];
}

/** The reply window: the platform accepts messages only for a limited time after the visitor's last one. */
export interface MessagingWindow {
  /** The length of the window in milliseconds, counted from the visitor's last message. */
  readonly lastsMs: number;
  /** Explains to an agent why the reply was refused after the window closed, and what they can do. */
  readonly reason: string;
  /** Returns whether the window applies to this conversation. Pure. */
  appliesTo(to: ConversationRef): boolean;
  /**
   * Returns a template message that the platform accepts at any time, in place of a late reply; null if there is none.
   * Pure.
   */
  renderTemplate(reply: Reply, to: ConversationRef): OutboundPart | null;
  /** Returns whether the platform accepts this part outside the window. Pure. */
  isTimeless(part: OutboundPart): boolean;
}

/**
 * One app of the operator that several tenants of the platform install: a Slack app in many teams, a bot in many guilds.
 * Each tenant is an account of its own, in any workspace, below the account that holds the app. A field that the tenant's
 * account lacks is taken from the parent account, including `webhookUrl` and `secret`. All events arrive at the parent
 * account; `Delivery.tenant` names the tenant they belong to.
 */
export interface Tenancy {
  /**
   * The tenant that the settings of the account name; null for an account that serves every tenant without an account of
   * its own.
   */
  readonly tenant: string | null;
  /** OAuth installation; null if an operator adds a tenant by its id, with the credentials of the parent account. */
  readonly oauth: {
    /**
     * Returns the URL where a person grants access to their team. The platform redirects the person to `redirectUrl` with
     * `state` and a code. Pure.
     */
    authoriseUrl(back: { readonly redirectUrl: string; readonly state: string }): string;
    /**
     * Exchanges the code for the new account's credentials and settings, in the shape of its manifest. They may contain
     * values of the parent account: equal values are stored in the parent only. The tenant that they
     * name must equal `tenant`.
     */
    exchange(
      grant: { readonly code: string; readonly redirectUrl: string },
      tools: Tools,
    ): Promise<{
      readonly tenant: string;
      readonly name: string;
      readonly credentials: object;
      readonly settings: object;
    }>;
  } | null;
}
