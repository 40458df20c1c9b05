import type { FastifyReply } from 'fastify';
import { z } from 'zod';

interface EventStreamOptions {
  /** Milliseconds between signs of life, which keep proxies from closing the connection as idle. */
  readonly keepAliveMs: number;
  /** The event that is sent as a sign of life; a comment if absent. */
  readonly signOfLife?: () => object;
  /** The data of a line after the last event, such as `[DONE]`; none if absent. */
  readonly lastLine?: string;
}

const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

const keepAlive = ': keep-alive\n\n';
/** Characters. Events of one event-loop turn are written together, in pieces of this size. */
const pieceLength = 16 * 1024;
/** Milliseconds that a client has to read the last event before the connection is closed. */
const graceMs = 1_000;

/**
 * A response of server-sent events. For a slow client, memory is limited to the buffer of the connection and
 * one piece, because `send` makes the sender wait.
 */
export class EventStream {
  readonly #reply: FastifyReply;
  readonly #options: EventStreamOptions;
  #opened = false;
  #unsent = '';
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(reply: FastifyReply, options: EventStreamOptions) {
    this.#reply = reply;
    this.#options = options;
  }

  /** True once the response has started. From then on errors can only be sent as events. */
  get opened(): boolean {
    return this.#opened;
  }

  open(): void {
    const { raw } = this.#reply;
    const { keepAliveMs, signOfLife } = this.#options;
    this.#opened = true;
    this.#reply.hijack();
    if (raw.destroyed) return;
    for (const [name, value] of Object.entries(this.#reply.headers(eventHeaders).getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
    raw.writeHead(200);
    const timer = setInterval(() => {
      if (!raw.writableNeedDrain)
        this.#write(signOfLife === undefined ? keepAlive : formatEvent(signOfLife()));
    }, keepAliveMs);
    raw.on('drain', () => this.#resolveDrained());
    raw.once('close', () => {
      clearInterval(timer);
      this.#resolveDrained();
    });
  }

  /**
   * Sends one event. Returns a promise if the client is slow; it resolves when there is room again or the
   * client has disconnected.
   */
  send(data: object): void | Promise<void> {
    this.#write(formatEvent(data));
    if (!this.#open || !this.#reply.raw.writableNeedDrain) return;
    this.#drained ??= Promise.withResolvers();
    return this.#drained.promise;
  }

  /** Sends the last events and ends the response. */
  end(...data: readonly object[]): void {
    const { lastLine } = this.#options;
    const ending = lastLine === undefined ? '' : `data: ${lastLine}\n\n`;
    const last = this.#unsent + data.map(formatEvent).join('') + ending;
    this.#unsent = '';
    if (this.#open) this.#reply.raw.end(last);
  }

  /**
   * Sends the last event immediately. It closes the connection if the client does not read it within a second.
   */
  endNow(data: object): void {
    const { raw } = this.#reply;
    this.end(data);
    const grace = setTimeout(() => raw.destroy(), graceMs);
    raw.once('close', () => clearTimeout(grace));
  }

  get #open(): boolean {
    const { raw } = this.#reply;
    return !raw.destroyed && !raw.writableEnded;
  }

  #resolveDrained(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  #write(text: string): void {
    if (this.#unsent === '') process.nextTick(() => this.#flush());
    this.#unsent += text;
    if (this.#unsent.length >= pieceLength) this.#flush();
  }

  #flush(): void {
    const text = this.#unsent;
    this.#unsent = '';
    if (text !== '' && this.#open) this.#reply.raw.write(text);
  }
}

function formatEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/**
 * Seconds since the process last heard from itself through the database, on the way that the stream's changes take. Null if
 * it is not known to hear anything.
 */
export const newsAgeSchema = z.int().min(0).nullable().meta({
  description:
    'Seconds since the server last proved that changes reach it, which it does every ten seconds. If it is above 15 or null, changes may come late: list again.',
});

/** Describes a response of server-sent events whose events match `schema`. */
export function eventStreamResponse<Frame extends z.ZodType>(schema: Frame, description: string) {
  return { description, content: { 'text/event-stream': { schema } } };
}
