import type { LookupFunction } from 'node:net';
import { WebSocket } from 'ws';
import { ConnectorError } from '../../core/contract/connector-error.ts';

export interface SlackSocket {
  acknowledge(envelopeId: string): void;
  /** Resolves when it is closed, by whichever side. */
  readonly closed: Promise<void>;
  close(): void;
}

interface Hearing {
  /** Where the host of the address is: what the guard let through. */
  readonly lookup: LookupFunction;
  readonly onText: (text: string) => void;
  /** Told of every sign of life, also of those that say nothing. */
  readonly onSign: () => void;
  /** So long it may be silent before it is taken for dead. */
  readonly silenceMs: number;
}

/** Opens a socket of Slack's. Throws a ConnectorError where that does not succeed in time. */
export function openSocket(
  address: string,
  { lookup, onText, onSign, silenceMs }: Hearing,
): Promise<SlackSocket> {
  const socket = new WebSocket(address, { lookup, handshakeTimeout: silenceMs, maxPayload: 16 * 2 ** 20 });
  const opened = Promise.withResolvers<SlackSocket>();
  const closed = Promise.withResolvers<void>();
  let silence = setTimeout(() => socket.terminate(), silenceMs);
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => socket.terminate(), silenceMs);
    onSign();
  };
  socket.on('open', () => {
    opened.resolve({
      acknowledge: (envelope_id) => socket.send(JSON.stringify({ envelope_id }), () => {}),
      closed: closed.promise,
      close: () => socket.close(1000),
    });
  });
  socket.on('ping', heard);
  socket.on('message', (data) => {
    heard();
    onText(data.toString());
  });
  socket.on('error', (error) => {
    opened.reject(
      new ConnectorError(`Slack's socket cannot be opened: ${error.message}`, {
        advice: { retry: 'backoff' },
      }),
    );
  });
  socket.on('close', () => {
    clearTimeout(silence);
    opened.reject(new ConnectorError("Slack's socket was closed.", { advice: { retry: 'backoff' } }));
    closed.resolve();
  });
  return opened.promise;
}
