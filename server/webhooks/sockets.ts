import type { FastifyRequest } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { whenSettled } from '../../core/base/async.ts';
import { AppError } from '../../core/base/errors.ts';
import type { PlatformSocket } from '../../core/contract/listener.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Drain } from '../drain.ts';
import { requestChannel } from './find-channel.ts';

export interface SocketLimits {
  /** Milliseconds that a socket may stay open before its first message. */
  readonly silenceMs: number;
  /** The maximum number of sockets per IP address without a first message. */
  readonly pending: number;
  /** Milliseconds between pings. A socket that does not respond before the next ping is terminated. */
  readonly pingMs: number;
}

const policyViolation = 1_008;
const serviceRestart = 1_012;
const normalClosure = 1_000;
const internalError = 1_011;
/** Milliseconds that work of a socket may take after it is closed, so that the last messages are not lost. */
const closeGraceMs = 30_000;

/**
 * Serves the WebSocket connections that platforms open instead of posting webhooks. A connector handles each
 * until it ends.
 */
export class PlatformSockets {
  readonly #runtime: Runtime;
  readonly #drain: Drain;
  readonly #limits: SocketLimits;
  readonly #pending = new Map<string, number>();

  constructor(runtime: Runtime, drain: Drain, limits: SocketLimits) {
    this.#runtime = runtime;
    this.#drain = drain;
    this.#limits = limits;
  }

  /**
   * Checks a socket before it is opened. Throws `rate_limit_concurrent` if the IP address has too many
   * sockets without a first message.
   */
  admit(address: string): void {
    if ((this.#pending.get(address) ?? 0) >= this.#limits.pending)
      throw new AppError('rate_limit_concurrent');
  }

  serve(socket: WebSocket, request: FastifyRequest): void {
    this.#closeWhenSilent(socket, request.ip);
    this.#closeWhenDead(socket);
    const ending = new AbortController();
    const serving = this.#runConnector(socket, request, ending.signal);
    socket.once('close', () => {
      const timer = setTimeout(() => ending.abort(new Error('the socket was closed')), closeGraceMs);
      whenSettled(serving, () => clearTimeout(timer));
    });
    this.#drain.trackWork(serving, () => {
      ending.abort(new Error('the server shuts down'));
      socket.close(serviceRestart, 'the server shuts down');
    });
  }

  async #runConnector(socket: WebSocket, request: FastifyRequest, signal: AbortSignal): Promise<void> {
    const { account, connector } = requestChannel.get(request);
    const { channel, id } = account;
    try {
      const tools = this.#runtime.openSocketTools(this.#runtime, account, signal);
      await connector.open(account).socket?.serve(platformSocket(socket), tools);
      socket.close(normalClosure);
    } catch (err) {
      if (!signal.aborted) request.log.error({ err, channel, id }, 'connector socket failed');
      socket.close(internalError);
    }
  }

  #closeWhenSilent(socket: WebSocket, address: string): void {
    this.#pending.set(address, (this.#pending.get(address) ?? 0) + 1);
    const timer = setTimeout(
      () => socket.close(policyViolation, 'no message received'),
      this.#limits.silenceMs,
    );
    let isPending = true;
    const settle = () => {
      if (!isPending) return;
      isPending = false;
      clearTimeout(timer);
      const remaining = (this.#pending.get(address) ?? 1) - 1;
      if (remaining === 0) this.#pending.delete(address);
      else this.#pending.set(address, remaining);
    };
    socket.once('message', settle);
    socket.once('close', settle);
  }

  #closeWhenDead(socket: WebSocket): void {
    let isAlive = true;
    socket.on('pong', () => {
      isAlive = true;
    });
    const timer = setInterval(() => {
      if (!isAlive) socket.terminate();
      isAlive = false;
      socket.ping();
    }, this.#limits.pingMs);
    socket.once('close', () => clearInterval(timer));
  }
}

/**
 * Platforms send text messages only. More unread bytes than the limit mean that the platform has stopped
 * reading.
 */
const unsupportedData = 1003;
const maxBufferedBytes = 2 ** 20;

/** Adapts a socket for connectors. Messages that arrive before a listener is set are buffered. */
function platformSocket(socket: WebSocket): PlatformSocket {
  const early: string[] = [];
  let onText = (text: string): void => void early.push(text);
  socket.on('message', (data: RawData, isBinary) => {
    if (isBinary) socket.close(unsupportedData, 'text only');
    else onText(data.toString());
  });
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > maxBufferedBytes) socket.close(policyViolation, 'messages are not read');
      else socket.send(text);
    },
    close: (code, because) => socket.close(code, because),
    onMessage(listener) {
      onText = listener;
      for (const text of early.splice(0)) listener(text);
    },
    onClose(listener) {
      if (socket.readyState === socket.CLOSED) listener();
      else socket.once('close', () => listener());
    },
  };
}
