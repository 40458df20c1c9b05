import type { components } from './api-types.ts';
import { parseCamelCase } from './casing.ts';
import { ConnectionError, errorFrom, ParleyError } from './errors.ts';
import { readEvents } from './events.ts';
import type { Transport } from './transport.ts';

type Schemas = components['schemas'];

/** A stage that the answer has reached, for display. */
export type StatusFrame = Omit<Schemas['StatusFrame'], 'event'> & { readonly type: 'status' };
/** A piece of the answer. */
export interface TokenFrame {
  readonly type: 'token';
  readonly token: string;
}
/** Everything about a complete answer, with its text. */
export type FinalFrame = Omit<Schemas['FinalFrame'], 'token' | 'done'> & {
  readonly type: 'final';
  readonly answer: string;
};
export type AnswerFrame = StatusFrame | TokenFrame | FinalFrame;

/** A frame as the service sends it, in camel case. */
interface SentFrame extends Partial<Schemas['FinalFrame']> {
  readonly event?: 'status';
  readonly stage?: StatusFrame['stage'];
  readonly text?: string;
  readonly error?: string;
  readonly code?: string;
  readonly requestId?: string;
}

/**
 * An answer as it is written. Read it once: by `for await`, by `tokens()` or by `final()`. Nothing is sent before the first
 * of them, and the end of the loop, also by `break`, ends the answer.
 */
export class AnswerStream implements AsyncIterable<AnswerFrame> {
  readonly #transport: Transport;
  readonly #open: (signal: AbortSignal) => Promise<Response>;
  readonly #stop = new AbortController();
  readonly #release: () => void;
  #reading: AsyncGenerator<AnswerFrame, void, undefined> | undefined;
  #text = '';
  #final: FinalFrame | undefined;
  #failure: unknown;

  constructor(
    transport: Transport,
    open: (signal: AbortSignal) => Promise<Response>,
    signal: AbortSignal | undefined,
  ) {
    this.#transport = transport;
    this.#open = open;
    const abort = () => this.#stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#release = () => signal?.removeEventListener('abort', abort);
    if (signal?.aborted === true) abort();
  }

  /** The answer so far. After a broken connection this is what can be shown. */
  get text(): string {
    return this.#text;
  }

  [Symbol.asyncIterator](): AsyncGenerator<AnswerFrame, void, undefined> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async *tokens(): AsyncGenerator<string, void, undefined> {
    for await (const frame of this) if (frame.type === 'token') yield frame.token;
  }

  /** Resolves with the complete answer; reads it first unless a loop did. */
  async final(): Promise<FinalFrame> {
    for await (const _frame of this);
    if (this.#final !== undefined) return this.#final;
    throw this.#failure ?? this.#stop.signal.reason ?? new ConnectionError('connection_failed', undefined);
  }

  /** Ends the answer. The service stores what was written until then. */
  cancel(): void {
    this.#stop.abort();
  }

  /** Returns a response with an event for each frame, for a route of yours that `useParley` or your page reads. */
  toResponse(): Response {
    const frames = this[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const line = (frame: object) =>
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(frame)}\n\n`));
        try {
          const { done, value } = await frames.next();
          if (done === true) controller.close();
          else line(value);
        } catch (error) {
          const known =
            error instanceof ParleyError ? error : new ConnectionError('connection_failed', error);
          line({ type: 'error', code: known.code, detail: known.detail, requestId: known.requestId });
          controller.close();
        }
      },
      cancel: () => this.cancel(),
    });
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    });
  }

  async *#read(): AsyncGenerator<AnswerFrame, void, undefined> {
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          yield* this.#attempt();
          return;
        } catch (error) {
          // The client has shown the tokens: a stream that has begun is not repeated.
          const isFinal = this.#text !== '' || attempt > this.#transport.maxRetries;
          if (!(error instanceof ParleyError) || isFinal || !isPassing(error)) throw error;
          await this.#transport.waitBefore(attempt, error, this.#stop.signal);
        }
      }
    } catch (error) {
      this.#failure = error;
      throw error;
    } finally {
      this.#release();
      this.#stop.abort();
    }
  }

  async *#attempt(): AsyncGenerator<AnswerFrame, void, undefined> {
    const response = await this.#open(this.#stop.signal);
    for await (const data of readEvents(response, this.#stop.signal)) {
      const frame = this.#toFrame(readFrame(data));
      yield frame;
      if (frame.type === 'final') return;
    }
    this.#stop.signal.throwIfAborted();
    throw new ConnectionError('connection_failed', undefined);
  }

  #toFrame({ token = '', ...sent }: SentFrame): AnswerFrame {
    if (sent.error !== undefined) {
      const { code = 'internal_error', error: detail, requestId = null } = sent;
      throw errorFrom({ code, detail, status: null, requestId, retryAfter: null });
    }
    if (sent.event === 'status') {
      return { type: 'status', stage: sent.stage ?? 'understanding', text: sent.text ?? '' };
    }
    if (!isComplete(sent)) {
      this.#text += token;
      return { type: 'token', token };
    }
    const { done: _done, ...rest } = sent;
    this.#final = { ...rest, type: 'final', answer: this.#text };
    return this.#final;
  }
}

const isComplete = (frame: Omit<SentFrame, 'token'>): frame is Omit<Schemas['FinalFrame'], 'token'> =>
  frame.done === true;

/** An error frame before the first token is repeated unless the request itself is wrong. */
function isPassing({ code, status }: ParleyError): boolean {
  return status === null && code !== 'client_timeout' && !code.endsWith('_not_found');
}

function readFrame(data: string): SentFrame {
  const frame = parseCamelCase(data);
  return typeof frame === 'object' && frame !== null ? frame : {};
}
