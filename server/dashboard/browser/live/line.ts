/**
 * How the dashboard learns of changes: `live` by a stream that is known to bring them; `delayed` by a stream whose server does
 * not hear of changes at the moment; `polling` where no stream comes through; `reconnecting` while the server does not answer;
 * `offline` while the device has no network.
 */
export type LiveState = 'connecting' | 'live' | 'delayed' | 'polling' | 'reconnecting' | 'offline';

/** An event of the line to the server. */
export type LineEvent =
  /** A frame arrived. Most do not tell the age of the server's last heartbeat; null: it hears nothing. */
  | { readonly kind: 'frame'; readonly ageSeconds?: number | null | undefined }
  /** Nothing came for so long that the line counts as cut. */
  | { readonly kind: 'silence' }
  /** The browser says that the device has lost its network. */
  | { readonly kind: 'offline' }
  /** A stream ended or could not be opened, and the server was asked for something else. */
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
/** Failures in a row, while the server answers other requests, after which a proxy is taken to hold streams back. */
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
      // A server that restarts is back before anybody reads the line.
      return failures > 0 ? 'reconnecting' : state;
    }
  }
}
