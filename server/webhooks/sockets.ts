import type { FastifyRequest } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { whenSettled } from '../../core/async.ts';
import type { PlatformSocket } from '../../core/contract/listener.ts';
import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Drain } from '../drain.ts';
import { requestChannel } from './find-channel.ts';

export interface SocketLimits {
  /** So long a socket may be open before anything is said. */
  readonly silenceMs: number;
  /** Sockets of one address that nothing was said over yet. */
  readonly pending: number;
  /** How often a socket is asked whether it is still there; who does not answer until the next time is gone. */
  readonly pingMs: number;
}

const policyViolation = 1_008;
const serviceRestart = 1_012;
const normalClosure = 1_000;
const internalError = 1_011;
/** So long what was begun over a socket may take to end once it is closed: nobody's last words are lost with it. */
const closeGraceMs = 30_000;

/** What platforms open instead of posting: one connector serves each, until it is over. */
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

  /** Before it is opened. Throws `rate_limit_concurrent` where an address opens more than it says anything over. */
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
      const timer = setTimeout(() => ending.abort(new Error('the socket was closed long ago')), closeGraceMs);
      whenSettled(serving, () => clearTimeout(timer));
    });
    this.#drain.trackWork(serving, () => {
      ending.abort(new Error('the server ends'));
      socket.close(serviceRestart, 'the server ends');
    });
  }

  async #runConnector(socket: WebSocket, request: FastifyRequest, signal: AbortSignal): Promise<void> {
    const { account, connector } = requestChannel.get(request);
    const { channel, id } = account;
    try {
      const tools = this.#runtime.openSocketTools(this.#runtime, account, signal);
      await connector.socket?.serve(platformSocket(socket), account, tools);
      socket.close(normalClosure);
    } catch (err) {
      if (!signal.aborted) request.log.error({ err, channel, id }, 'a connector gave up a socket');
      socket.close(internalError);
    }
  }

  #closeWhenSilent(socket: WebSocket, address: string): void {
    this.#pending.set(address, (this.#pending.get(address) ?? 0) + 1);
    const timer = setTimeout(() => socket.close(policyViolation, 'nothing was said'), this.#limits.silenceMs);
    let isPending = true;
    const settle = () => {
      if (!isPending) return;
      isPending = false;
      clearTimeout(timer);
      const left = (this.#pending.get(address) ?? 1) - 1;
      if (left === 0) this.#pending.delete(address);
      else this.#pending.set(address, left);
    };
    socket.once('message', settle);
    socket.once('close', settle);
  }

  #closeWhenDead(socket: WebSocket): void {
    let isAlive = true;
    socket.on('pong', () => {
      isAlive = true;
    });
    const beat = setInterval(() => {
      if (!isAlive) socket.terminate();
      isAlive = false;
      socket.ping();
    }, this.#limits.pingMs);
    socket.once('close', () => clearInterval(beat));
  }
}

/** Binary messages are none that a platform sends; more than that unread on its side is a platform that does not read. */
const unsupportedData = 1003;
const maxBufferedBytes = 2 ** 20;

/** A socket as connectors know it: what comes before somebody listens is kept for him. */
function platformSocket(socket: WebSocket): PlatformSocket {
  const early: string[] = [];
  let hear = (text: string): void => void early.push(text);
  socket.on('message', (data: RawData, isBinary) => {
    if (isBinary) socket.close(unsupportedData, 'text only');
    else hear(data.toString());
  });
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > maxBufferedBytes) socket.close(policyViolation, 'nothing is read');
      else socket.send(text);
    },
    close: (code, because) => socket.close(code, because),
    onMessage(listener) {
      hear = listener;
      for (const text of early.splice(0)) listener(text);
    },
    onClose(listener) {
      if (socket.readyState === socket.CLOSED) listener();
      else socket.once('close', () => listener());
    },
  };
}
