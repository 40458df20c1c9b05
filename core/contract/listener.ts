import type { Json, Tools } from './account.ts';
import type { Delivery } from './inbound.ts';
import type { OutboundPart } from './outbound.ts';
import type { RawRequest } from './webhook.ts';

/** Stores deliveries. Resolves when they are committed to the database and cannot be lost. */
type Accept = (deliveries: readonly Delivery[]) => Promise<void>;

/** The tools of a listener. */
export interface ListenerTools extends Tools {
  readonly accept: Accept;
  /**
   * Reports that the connection is live. Call it for every sign of life of the platform, including empty polls and
   * heartbeats, at least once a minute. `notice` is shown to operators until a call without it: use it for a connection
   * that works now and will stop working, such as an app near a platform's limit.
   */
  readonly alive: (notice?: string) => void;
  /** The value most recently stored by `keep`, by any process; null before the first. */
  readonly cursor: Json | null;
  /**
   * Stores the position from which a listener continues after a restart. Call it only after `accept` has resolved for
   * every event before that position.
   */
  readonly keep: (cursor: Json) => Promise<void>;
  /**
   * Returns the values that deliveries of this channel asked to remember (`Delivery.remember`), by key. Unknown keys are
   * absent from the map.
   */
  readonly recall: (keys: readonly string[]) => Promise<ReadonlyMap<string, Json>>;
}

/**
 * Holds a connection to the platform until `tools.signal` aborts, then resolves. Throws a `ConnectorError` if the
 * connection ends for any other reason; the caller restarts the listener, with a delay that follows the error's advice.
 */
export type Listen = (tools: ListenerTools) => Promise<void>;

/** A WebSocket that the platform opened to the server. It carries text messages. */
export interface PlatformSocket {
  send(text: string): void;
  close(code: number, because: string): void;
  /** Registers the listener for incoming messages, which are passed in order. */
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

/** An answer that is spoken while it is generated. */
export interface LiveAnswer {
  /** The id of the stored message. */
  readonly messageId: string;
  readonly text: string;
  /** Whether the conversation is handed over to an agent. */
  readonly handover: boolean;
  /**
   * The rendered reply. Parts with `collectedBy` count as sent, because the socket delivers them; parts with `onRequest`
   * are still held back.
   */
  readonly parts: readonly OutboundPart[];
}

/** The tools of a socket conversation. */
export interface SocketTools extends Tools {
  /**
   * Stores a delivery and answers it in this process, in its lane, like any other delivery. `onText` receives the pieces
   * of the answer as they are generated. Returns null if it is not answered, because an agent has the conversation or the
   * delivery contains no message. If `signal` aborts, the part of the answer generated so far is stored.
   */
  readonly ask: (
    delivery: Delivery,
    options: { readonly onText: (piece: string) => void; readonly signal: AbortSignal },
  ) => Promise<LiveAnswer | null>;
  /** Shortens a stored answer to the text that the visitor heard before interrupting it. */
  readonly truncateAnswer: (messageId: string, heard: string) => Promise<void>;
}

/** Conversations over sockets that the platform opens, one conversation for each socket. */
export interface SocketIntake {
  /** Verifies the request that opens the socket, by the platform's own scheme and in constant time. Pure. */
  verify(request: RawRequest, now: Date): boolean;
  /**
   * Runs the conversation. Resolves when it is over and all work started in it has finished, including after the socket
   * closed. `tools.signal` aborts when the server shuts down.
   */
  serve(socket: PlatformSocket, tools: SocketTools): Promise<void>;
}
