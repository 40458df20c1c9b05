import type { FastifyReply } from 'fastify';
import type { z } from 'zod';

interface EventStreamOptions {
  /** How often a comment is sent, so that no proxy takes the connection for idle. */
  readonly keepAliveMs: number;
}

const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

const keepAlive = ': keep-alive\n\n';
/** What is said within one turn of the event loop goes out at once, in pieces of this many characters. */
const pieceLength = 16 * 1024;
/** So long a reader has to take what was said last, before the connection is cut. */
const graceMs = 1_000;

/**
 * A response of server-sent events. Nothing is held for a reader who does not take it but what its connection and one
 * piece hold: `send` makes the sender wait.
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

  /** From then on the response has begun, and errors can only be told within it. */
  get opened(): boolean {
    return this.#opened;
  }

  open(): void {
    const { raw } = this.#reply;
    this.#opened = true;
    this.#reply.hijack();
    if (raw.destroyed) return;
    for (const [name, value] of Object.entries(this.#reply.headers(eventHeaders).getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
    raw.writeHead(200);
    const beat = setInterval(() => {
      if (!raw.writableNeedDrain) this.#write(keepAlive);
    }, this.#options.keepAliveMs);
    raw.on('drain', () => this.#resolveDrained());
    raw.once('close', () => {
      clearInterval(beat);
      this.#resolveDrained();
    });
  }

  /** One event. Where the reader is slow, what is returned resolves when there is room again or nobody reads any more. */
  send(data: object): void | Promise<void> {
    this.#write(formatEvent(data));
    if (!this.#open || !this.#reply.raw.writableNeedDrain) return;
    this.#drained ??= Promise.withResolvers();
    return this.#drained.promise;
  }

  /** The last event; nothing is said after it. */
  end(data: object): void {
    const last = this.#unsent + formatEvent(data);
    this.#unsent = '';
    if (this.#open) this.#reply.raw.end(last);
  }

  /** The last event, at once: a reader who does not take it soon, or not even what was said before, is cut off. */
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

/** A response of server-sent events, of which each is one of these. */
export function eventStreamResponse<Frame extends z.ZodType>(schema: Frame, description: string) {
  return { description, content: { 'text/event-stream': { schema } } };
}
