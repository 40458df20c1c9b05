import type { Account, Json, Tools } from './account.ts';
import type { Delivery } from './inbound.ts';
import type { OutboundPart } from './outbound.ts';
import type { RawRequest } from './webhook.ts';

/** Stores deliveries; resolves when they cannot be lost any more. */
type Accept = (deliveries: readonly Delivery[]) => Promise<void>;

export interface ListenerTools extends Tools {
  readonly accept: Accept;
  /**
   * Told whenever the platform was heard of, also where it had nothing to say. `notice` is shown to operators for as long
   * as it is told: that it works, but will not for ever.
   */
  readonly alive: (notice?: string) => void;
  /** What was kept by `keep` last, by whichever process; null at first. */
  readonly cursor: Json | null;
  /** Called only after `accept` resolved. */
  readonly keep: (cursor: Json) => Promise<void>;
  /** What deliveries of this channel asked to remember, by key; nothing of an unknown one. */
  readonly recall: (keys: readonly string[]) => Promise<ReadonlyMap<string, Json>>;
}

/** Holds a connection to the platform until `signal` aborts; throws ConnectorErrors where it ends otherwise. */
export type Listen<Credentials, Settings> = (
  account: Account<Credentials, Settings>,
  tools: ListenerTools,
) => Promise<void>;

/** A socket that a platform opened to us. It speaks text. */
export interface PlatformSocket {
  send(text: string): void;
  close(code: number, because: string): void;
  /** Called for each message, in its order. */
  onMessage(hear: (text: string) => void): void;
  onClose(hear: () => void): void;
}

/** An answer that is said while it is made. */
export interface LiveAnswer {
  /** Of the stored message. */
  readonly messageId: string;
  readonly text: string;
  /** Whether a person is to have the conversation from now on. */
  readonly handover: boolean;
  /** As the connector rendered it: what is collected counts as sent, what is kept for later is still kept. */
  readonly parts: readonly OutboundPart[];
}

export interface SocketTools extends Tools {
  /**
   * Stores what was said and answers it here, in the lane, as any other delivery is answered; `onText` hears the pieces as
   * they come. Null where it is not answered: a person has the conversation, or nothing was said. Aborting keeps what
   * was made of it.
   */
  readonly ask: (
    delivery: Delivery,
    hearing: { readonly onText: (piece: string) => void; readonly signal: AbortSignal },
  ) => Promise<LiveAnswer | null>;
  /** What was heard of an answer is all that is kept of it. */
  readonly truncateAnswer: (messageId: string, heard: string) => Promise<void>;
}

/** Conversations over sockets that the platform opens, one each. */
export interface SocketIntake<Credentials, Settings> {
  /** Of the request that opens it, by the platform's own scheme, in constant time. Pure. */
  verify(request: RawRequest, account: Account<Credentials, Settings>, now: Date): boolean;
  /**
   * Resolves when the conversation is over, and what was begun in it is done: also where the socket was closed meanwhile.
   * `tools.signal` aborts when the server ends.
   */
  serve(socket: PlatformSocket, account: Account<Credentials, Settings>, tools: SocketTools): Promise<void>;
}
