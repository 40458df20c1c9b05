import type { Delivery } from './inbound.ts';
import type { OutboundPart } from './outbound.ts';

/** A received HTTP request, with the raw body that signatures are computed over. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The query string as received, including `?`, for signatures that cover it. Absent if there is none. */
  readonly search?: string;
  readonly body: Uint8Array;
}

/** The immediate response to the platform. */
export interface HttpAnswer {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: string;
}

/** The parts that a waiting request collected. */
export interface PulledParts {
  /** Oldest first; empty if none became available in time. */
  readonly parts: readonly OutboundPart[];
  /** Whether an answer to an earlier message is still being generated. */
  readonly isAnswering: boolean;
  /** Whether an agent has the conversation or was requested. In that case no automatic answer follows. */
  readonly withPerson: boolean;
}

/**
 * A request of a platform that accepts messages only as the response to its own requests, such as a telephone call. Each
 * part is handed to one request only and counts as sent from then on. If the process dies before it responds, the part is
 * lost.
 */
export interface PullRequest {
  readonly lane: string;
  /** The key of the parts that this request collects: `OutboundPart.collectedBy`. */
  readonly key: string;
  /**
   * The maximum wait for a part, in milliseconds, counted after the deliveries are stored. The request does not wait if
   * no answer is being generated.
   */
  readonly waitMs: number;
  /** Set if the response greets a visitor: the language of the greeting (ISO 639-1). */
  readonly greetsIn?: string;
  /**
   * Builds the response from the collected parts. A greeting says the text `disclosure`, that a machine answers; null if
   * the workspace does not want it said, or if the response is no greeting. Pure.
   */
  respond(collected: PulledParts, disclosure: string | null): HttpAnswer;
}

/** The parsed webhook request. */
export type WebhookReading =
  | { readonly kind: 'deliveries'; readonly deliveries: readonly Delivery[]; readonly respond: HttpAnswer }
  /** The platform waits for the next message: see `PullRequest`. */
  | { readonly kind: 'collection'; readonly deliveries: readonly Delivery[]; readonly collect: PullRequest }
  /** A verification request of the platform. Nothing is stored. */
  | { readonly kind: 'handshake'; readonly respond: HttpAnswer }
  /** The request is irrelevant or was not understood. `because` is logged. */
  | { readonly kind: 'ignored'; readonly because: string; readonly respond: HttpAnswer };

/** The webhook of a channel. */
export interface WebhookIntake {
  /**
   * Answers requests that the platform sends before it signs anything, such as a check that the URL exists; returns null
   * for all other requests. It does not receive the account, and nothing is stored. Pure.
   */
  greet?(request: RawRequest): HttpAnswer | null;
  /** Verifies the request by the platform's own scheme, over the raw body and in constant time. Pure. */
  verify(request: RawRequest, now: Date): boolean;
  /** Parses a verified request. Pure; must not throw. */
  read(request: RawRequest): WebhookReading;
}
