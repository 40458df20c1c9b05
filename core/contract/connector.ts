import type { z } from 'zod';
import type { InboundEvent } from './inbound-event.ts';
import type { Json } from './json.ts';

/** A platform's account of a workspace: one bot, one number, one mailbox. */
export interface Account<Credentials = unknown, Settings = unknown> {
  /** `chan_…`. */
  readonly id: string;
  readonly credentials: Credentials;
  readonly settings: Settings;
  /** Made by us for this account: what a platform that lets us choose has to show with each of its calls. */
  readonly secret: string;
  /** Where the platform posts its events; null where this installation has no public address. */
  readonly webhookUrl: string | null;
  /** What `probe` learned of it: its id and name on the platform. Empty until then. */
  readonly profile: Readonly<Record<string, Json>>;
}

/** A conversation on the platform. */
export interface ConversationRef {
  /** The platform's own thread, as one string: what is said in one lane is handled in its order, one at a time. */
  readonly lane: string;
  /** How to send there. */
  readonly address: Json;
}

/** What a connector needs of the world. */
export interface Tools {
  /** Refuses what it has to refuse by itself: private networks where they are not allowed. */
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly log: { warn(facts: object, text: string): void };
  readonly signal: AbortSignal;
}

export interface Manifest<Credentials, Settings> {
  readonly contract: 1;
  /** Also the folder, the API's `channel` and the label of metrics. */
  readonly channel: string;
  /** Each field has a description. */
  readonly credentials: z.ZodType<Credentials>;
  readonly settings: z.ZodType<Settings>;
  /** Of one part that is sent, in the units that the platform counts (UTF-16 unless its NOTES.md says otherwise). */
  readonly limits: { readonly textChars: number };
}

/** A request as it came: the body is what signatures are made of. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** What the platform hears at once. */
export interface HttpAnswer {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: string;
}

/** One event of the platform, as it is stored: interpreted later, so that a mistake in that can be repaired. */
export interface Delivery {
  /** The same whenever the platform sends it again. */
  readonly id: string;
  readonly lane: string;
  readonly native: Json;
  /** The event belongs to several that come one by one: the lane waits so long for the rest. Absent: not at all. */
  readonly settleMs?: number;
}

export type WebhookReading =
  | { readonly kind: 'deliveries'; readonly deliveries: readonly Delivery[]; readonly respond: HttpAnswer }
  | { readonly kind: 'handshake'; readonly respond: HttpAnswer }
  /** Understood and of no interest, or not understood: `because` is logged. */
  | { readonly kind: 'ignored'; readonly because: string; readonly respond: HttpAnswer };

export interface WebhookIntake<Credentials, Settings> {
  /** By the platform's own scheme, on the raw body, in constant time. Pure. */
  verify(request: RawRequest, account: Account<Credentials, Settings>, now: Date): boolean;
  /** Of a verified request. Pure; never throws. */
  read(request: RawRequest, account: Account<Credentials, Settings>): WebhookReading;
}

/** Stores deliveries; resolves when they cannot be lost any more. */
export type Accept = (deliveries: readonly Delivery[]) => Promise<void>;

export interface ListenerTools extends Tools {
  readonly accept: Accept;
  /** Told whenever the platform was heard of, also where it had nothing to say. */
  readonly alive: () => void;
  /** What was kept by `keep` last, by whichever process; null at first. */
  readonly cursor: Json | null;
  /** Called only after `accept` resolved. */
  readonly keep: (cursor: Json) => Promise<void>;
}

/** Holds a connection to the platform until `signal` aborts; throws ConnectorErrors where it ends otherwise. */
export type Listen<Credentials, Settings> = (
  account: Account<Credentials, Settings>,
  tools: ListenerTools,
) => Promise<void>;

/** What is to be said. */
export interface Reply {
  /** Markdown (CommonMark with tables and strikethrough). */
  readonly text: string;
  /** Best first, at most three. */
  readonly sources: readonly { readonly title: string; readonly url: string | null }[];
  /** The platform's id of the message that this answers; null where it answers none. */
  readonly replyTo: string | null;
}

/** One message as the platform takes it. It is stored until it is sent. */
export interface OutboundPart {
  readonly content: Json;
}

export interface Receipt {
  /** The platform's id of what was sent. */
  readonly messageId: string;
  /** What the rest of the conversation is to be sent to from now on, where that has changed. */
  readonly moved?: ConversationRef;
}

/** So much may be sent under a key. */
export interface Budget {
  /** Unique within the account. */
  readonly key: string;
  /** On average, one in so many milliseconds. */
  readonly everyMs: number;
  /** As many may go at once after a pause. */
  readonly burst: number;
}

/** Their presence tells that the platform has them. */
export interface Facets<Credentials, Settings> {
  /** Shows that an answer is coming; the platform forgets it by itself after `lastsMs`. */
  readonly typing?: {
    readonly lastsMs: number;
    show(to: ConversationRef, account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
  };
  /** Puts another text in the place of one that was sent. */
  edit?(
    sent: { readonly messageId: string; readonly part: OutboundPart; readonly to: ConversationRef },
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<void>;
  /** Tells the platform where to post. */
  enrol?(account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
  /** Ends that, when the account is removed. */
  retire?(account: Account<Credentials, Settings>, tools: Tools): Promise<void>;
}

/**
 * A channel. It sees no database, queue, model, environment or other connector. All but `probe`, `deliver`, `listen`
 * and the facets is pure. What goes wrong on the platform is thrown as a ConnectorError, and nothing else is thrown.
 */
export interface Connector<Credentials, Settings> {
  readonly manifest: Manifest<Credentials, Settings>;
  /** How the events of an account come. */
  intakeOf(account: Account<Credentials, Settings>): 'webhook' | 'listener';
  readonly webhook: WebhookIntake<Credentials, Settings> | null;
  readonly listen: Listen<Credentials, Settings> | null;
  /** Asks the platform who the account is; throws with the platform's own words where it does not accept us. */
  probe(account: Account<Credentials, Settings>, tools: Tools): Promise<Readonly<Record<string, Json>>>;
  /** What a stored delivery tells. Total: what it does not know is `unsupported`. */
  normalise(native: Json, account: Account<Credentials, Settings>): readonly InboundEvent[];
  /** Splits, escapes and shortens a reply so that every part fits the limits. At least one part. */
  render(reply: Reply, to: ConversationRef, account: Account<Credentials, Settings>): readonly OutboundPart[];
  /** Sends one part. A refusal of its markup is answered by sending it plain, here. */
  deliver(
    part: OutboundPart,
    to: ConversationRef,
    account: Account<Credentials, Settings>,
    tools: Tools,
  ): Promise<Receipt>;
  /** What each part that is sent there counts against. */
  budgets(to: ConversationRef, account: Account<Credentials, Settings>): readonly Budget[];
  readonly facets: Facets<Credentials, Settings>;
}

/** One whose accounts are not yet read: what the rest of the product works with. */
export type AnyConnector = Connector<unknown, unknown>;
