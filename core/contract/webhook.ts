import type { Account } from './account.ts';
import type { Delivery } from './inbound.ts';
import type { OutboundPart } from './outbound.ts';

/** A request as it came: the body is what signatures are made of. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The query as it was written, with its `?`: what signatures are made of. Absent where there is none. */
  readonly search?: string;
  readonly body: Uint8Array;
}

/** What the platform hears at once. */
export interface HttpAnswer {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: string;
}

/** What there is to say when a request has waited for it. */
export interface PulledParts {
  /** Oldest first; none where nothing came in time. */
  readonly parts: readonly OutboundPart[];
  /** Whether an answer to something that was said is still being made. */
  readonly isAnswering: boolean;
  /** Whether a person has the conversation, or is asked for: then nothing is answered by itself. */
  readonly withPerson: boolean;
}

/**
 * A platform that takes what is said only as the answer to a request of its own, such as a telephone call. What is handed
 * over counts as sent, to one request alone: what dies with the process between that and its answer is not said again.
 */
export interface PullRequest {
  readonly lane: string;
  /** Of the parts that are for this request: `collectedBy` of each. */
  readonly key: string;
  /** So long the request waits for something to be said, after its deliveries are stored; not where nothing will be. */
  readonly waitMs: number;
  /** Pure. */
  respond(collected: PulledParts): HttpAnswer;
}

export type WebhookReading =
  | { readonly kind: 'deliveries'; readonly deliveries: readonly Delivery[]; readonly respond: HttpAnswer }
  /** The platform waits for what is to be said: see Collection. */
  | { readonly kind: 'collection'; readonly deliveries: readonly Delivery[]; readonly collect: PullRequest }
  | { readonly kind: 'handshake'; readonly respond: HttpAnswer }
  /** Understood and of no interest, or not understood: `because` is logged. */
  | { readonly kind: 'ignored'; readonly because: string; readonly respond: HttpAnswer };

export interface WebhookIntake<Credentials, Settings> {
  /**
   * What is asked before anything is signed, such as whether the address is there; null for all else. It is told nothing of
   * the account, and nothing is stored of it. Pure.
   */
  greet?(request: RawRequest): HttpAnswer | null;
  /** By the platform's own scheme, on the raw body, in constant time. Pure. */
  verify(request: RawRequest, account: Account<Credentials, Settings>, now: Date): boolean;
  /** Of a verified request. Pure; never throws. */
  read(request: RawRequest, account: Account<Credentials, Settings>): WebhookReading;
}
