import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerListener, Stage } from '../../../core/answering/answer.ts';
import { Interruption } from '../../../core/answering/answer.ts';
import { whenSettled } from '../../../core/async.ts';
import { AppError } from '../../../core/errors.ts';
import { deployingError } from '../../../core/health/readiness.ts';
import type { Drain } from '../../drain.ts';
import { EventStream } from '../../event-stream.ts';
import { toLoggedError } from '../../plugins/errors.ts';
import type { ErrorFrame, StatusFrame } from './stream-schema.ts';

export interface AnswerStreamOptions {
  /** After so long the answer is given up and the connection closed. */
  readonly timeoutMs: number;
  readonly keepAliveMs: number;
  readonly drain: Drain;
  /** Whether the answer is made and stored also for a reader who went away: he looks for it when he is back. */
  readonly continuesWithoutReader?: boolean;
  /** The request came to nothing: it is not to be counted. Called where the framework does not see it. */
  readonly refund: () => Promise<void>;
}

/**
 * One answer on its way to its reader. The response begins with the first stage: until then a failure is thrown, from
 * then on it is a frame.
 */
export class AnswerStream implements AnswerListener {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #options: AnswerStreamOptions;
  readonly #events: EventStream;
  readonly #stop = new AbortController();
  readonly #refused = Promise.withResolvers<never>();
  #answered = false;
  #refunded: Promise<void> | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, options: AnswerStreamOptions) {
    this.#request = request;
    this.#reply = reply;
    this.#options = options;
    this.#events = new EventStream(reply, options);
  }

  /** Aborted when the answer is to be given up. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  stage(stage: Stage): void | Promise<void> {
    if (!this.#events.opened) this.#events.open();
    return this.#events.send(presentStage(stage));
  }

  token(token: string): void | Promise<void> {
    return this.#events.send({ token, done: false });
  }

  /**
   * Resolves when all was said and stored; what `work` comes to is the last frame. What it throws before the first stage is
   * thrown here.
   */
  async run(work: () => Promise<object>): Promise<void> {
    const { drain, timeoutMs } = this.#options;
    const timer = setTimeout(
      () => this.#abort(new AppError('request_timeout'), new Interruption('timeout')),
      timeoutMs,
    );
    const telling = this.#stream(work);
    this.#onReaderGone(() => {
      if (this.#options.continuesWithoutReader === true) whenSettled(telling, () => clearTimeout(timer));
      else clearTimeout(timer);
    });
    drain.trackWork(telling, () => this.#abort(deployingError()));
    await telling;
    await this.#refunded;
  }

  async #stream(work: () => Promise<object>): Promise<void> {
    try {
      const last = await Promise.race([work(), this.#refused.promise]);
      this.#answered = true;
      this.#events.end(last);
    } catch (error) {
      if (!this.#events.opened) throw error;
      await this.#fail(error);
    }
  }

  #onReaderGone(then: () => void): void {
    const { raw } = this.#reply;
    const gone = () => {
      then();
      if (raw.writableFinished || this.signal.aborted) return;
      this.#request.log.info({ route: this.#request.routeOptions.url }, 'the caller went away');
      if (this.#options.continuesWithoutReader === true) return;
      this.#stop.abort(new Interruption('cancelled'));
    };
    if (raw.destroyed) gone();
    else raw.once('close', gone);
  }

  /** The answer takes too long for its reader, or for this process. `reason` says whether what there is of it is kept. */
  #abort(error: AppError, reason: Error = error): void {
    if (!this.#events.opened) {
      this.#stop.abort(error);
      this.#refused.reject(error);
      return;
    }
    if (this.signal.aborted) return;
    this.#stop.abort(reason);
    this.#events.endNow(presentFailure(toLoggedError(error, this.#request), this.#request.id));
    if (!this.#answered) this.#startRefund();
  }

  async #fail(error: unknown): Promise<void> {
    const known = toLoggedError(error, this.#request);
    if (this.#reply.raw.destroyed && this.#options.continuesWithoutReader !== true) return;
    this.#startRefund();
    await this.#refunded;
    this.#events.end(presentFailure(known, this.#request.id));
  }

  #startRefund(): void {
    const { log } = this.#request;
    this.#refunded ??= this.#options
      .refund()
      .catch((err: unknown) => log.error({ err }, 'a failed request could not be taken off its quota'));
  }
}

const stageTexts: Readonly<Record<Stage, string>> = {
  understanding: 'Understanding the question',
  searching: 'Searching the documents',
  reading: 'Reading what was found',
  writing: 'Writing the answer',
};

function presentStage(stage: Stage): StatusFrame {
  return { event: 'status', stage, text: stageTexts[stage] };
}

function presentFailure(error: AppError, requestId: string): ErrorFrame {
  return { error: error.message, done: true, code: error.code, request_id: requestId };
}
