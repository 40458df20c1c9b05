/**
 * The state of the connection to the server: `live` with a stream that delivers changes; `delayed` with a stream
 * whose server does not receive changes at the moment; `polling` if no stream gets through; `reconnecting` while the
 * server does not answer; `offline` while the device has no network.
 */
export type LiveState = 'connecting' | 'live' | 'delayed' | 'polling' | 'reconnecting' | 'offline';

/** An event on the connection to the server. */
export type LineEvent =
  /** A frame arrived. Most do not contain the age of the server's last heartbeat; null: the server receives none. */
  | { readonly kind: 'frame'; readonly ageSeconds?: number | null | undefined }
  /** No data arrived for so long that the connection counts as lost. */
  | { readonly kind: 'silence' }
  /** The browser reports that the device has lost its network. */
  | { readonly kind: 'offline' }
  /** A stream ended or could not be opened, and another request tested the server. */
  | {
      readonly kind: 'ended';
      readonly isOnline: boolean;
      readonly isReachable: boolean;
      /** The server, or a proxy before it, answers without a stream. */
      readonly isRefused: boolean;
      /** Attempts in a row that brought nothing. */
      readonly failures: number;
    };

/** The server sends itself a heartbeat every ten seconds. */
const mostAgeSeconds = 15;
/**
 * Consecutive failures, while the server answers other requests, after which a proxy is assumed to hold streams back.
 */
const maxFailures = 3;

/** The state after an event. */
export function nextState(state: LiveState, event: LineEvent): LiveState {
  switch (event.kind) {
    case 'frame':
      if (event.ageSeconds === undefined) return state;
      return event.ageSeconds !== null && event.ageSeconds <= mostAgeSeconds ? 'live' : 'delayed';
    case 'silence':
      return state === 'live' || state === 'delayed' ? 'reconnecting' : state;
    case 'offline':
      return 'offline';
    default: {
      const { isOnline, isReachable, isRefused, failures } = event;
      if (!isReachable) return isOnline ? 'reconnecting' : 'offline';
      if (isRefused || failures >= maxFailures) return 'polling';
      // A server that restarts is back before a person could read the message.
      return failures > 0 ? 'reconnecting' : state;
    }
  }
}
