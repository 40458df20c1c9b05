import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerListener, Stage } from '../../../core/answering/answer.ts';
import { whenSettled } from '../../../core/base/async.ts';
import { AppError } from '../../../core/base/errors.ts';
import { Interruption } from '../../../core/contract/answer.ts';
import { deployingError } from '../../../core/health/readiness.ts';
import type { Drain } from '../../drain.ts';
import { EventStream } from '../../event-stream.ts';
import { toLoggedError } from '../../plugins/errors.ts';
import type { ErrorFrame, StatusFrame } from './stream-schema.ts';

/** The events of a streamed answer in one dialect. */
export interface AnswerFrames {
  /** Null if the dialect has no event for the stage. */
  stage(stage: Stage): object | null;
  token(token: string): object;
  failure(error: AppError, requestId: string): object;
}

export interface AnswerStreamOptions {
  /** Milliseconds after which the answer is aborted and the connection closed. */
  readonly timeoutMs: number;
  readonly keepAliveMs: number;
  readonly drain: Drain;
  /** Those of `POST /v1/query/stream` when absent. */
  readonly frames?: AnswerFrames;
  /** The data of a line after the last event, such as `[DONE]`; none if absent. */
  readonly lastLine?: string;
  /**
   * If true, the answer is completed and stored even if the client disconnects: the client fetches it after
   * it reconnects.
   */
  readonly continuesWithoutReader?: boolean;
  /**
   * Called if the request fails, so that it does not count towards the quota. Needed once the response has
   * started, because the framework no longer sees the failure.
   */
  readonly refund: () => Promise<void>;
}

/**
 * Streams one answer to its client. The response starts with the first stage: an earlier failure is thrown, a
 * later one is sent as a frame.
 */
export class AnswerStream implements AnswerListener {
  readonly isRead = true;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #options: AnswerStreamOptions;
  readonly #events: EventStream;
  readonly #frames: AnswerFrames;
  readonly #stop = new AbortController();
  readonly #refused = Promise.withResolvers<never>();
  #completed = false;
  #refunded: Promise<void> | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, options: AnswerStreamOptions) {
    this.#request = request;
    this.#reply = reply;
    this.#options = options;
    this.#events = new EventStream(reply, options);
    this.#frames = options.frames ?? ownFrames;
  }

  /** Aborted when the answer is given up. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  stage(stage: Stage): void | Promise<void> {
    if (!this.#events.opened) this.#events.open();
    const frame = this.#frames.stage(stage);
    return frame === null ? undefined : this.#events.send(frame);
  }

  token(token: string): void | Promise<void> {
    return this.#events.send(this.#frames.token(token));
  }

  /**
   * Resolves when the answer has been sent and stored. The result of `work` becomes the last frame, or the last frames. An
   * error that `work` throws before the first stage is rethrown.
   */
  async run(work: () => Promise<object | readonly object[]>): Promise<void> {
    const { drain, timeoutMs } = this.#options;
    const timer = setTimeout(
      () => this.#abort(new AppError('request_timeout'), new Interruption('timeout')),
      timeoutMs,
    );
    const streaming = this.#stream(work);
    this.#onDisconnect(() => {
      if (this.#options.continuesWithoutReader === true) whenSettled(streaming, () => clearTimeout(timer));
      else clearTimeout(timer);
    });
    drain.trackWork(streaming, () => this.#abort(deployingError()));
    await streaming;
    await this.#refunded;
  }

  async #stream(work: () => Promise<object | readonly object[]>): Promise<void> {
    try {
      const last = await Promise.race([work(), this.#refused.promise]);
      this.#completed = true;
      this.#events.end(...[last].flat());
    } catch (error) {
      if (!this.#events.opened) throw error;
      await this.#fail(error);
    }
  }

  #onDisconnect(then: () => void): void {
    const { raw } = this.#reply;
    const onClose = () => {
      then();
      if (raw.writableFinished || this.signal.aborted) return;
      this.#request.log.info({ route: this.#request.routeOptions.url }, 'client disconnected');
      if (this.#options.continuesWithoutReader === true) return;
      this.#stop.abort(new Interruption('cancelled'));
    };
    if (raw.destroyed) onClose();
    else raw.once('close', onClose);
  }

  /**
   * Aborts an answer that takes too long for its client or for this process. `reason` decides whether the
   * partial answer is stored.
   */
  #abort(error: AppError, reason: Error = error): void {
    if (!this.#events.opened) {
      this.#stop.abort(error);
      this.#refused.reject(error);
      return;
    }
    if (this.signal.aborted) return;
    this.#stop.abort(reason);
    this.#events.endNow(this.#frames.failure(toLoggedError(error, this.#request), this.#request.id));
    if (!this.#completed) this.#startRefund();
  }

  async #fail(error: unknown): Promise<void> {
    const known = toLoggedError(error, this.#request);
    if (this.#reply.raw.destroyed && this.#options.continuesWithoutReader !== true) return;
    this.#startRefund();
    await this.#refunded;
    this.#events.end(this.#frames.failure(known, this.#request.id));
  }

  #startRefund(): void {
    const { log } = this.#request;
    this.#refunded ??= this.#options
      .refund()
      .catch((err: unknown) => log.error({ err }, 'quota refund failed'));
  }
}

const stageTexts: Readonly<Record<Stage, string>> = {
  understanding: 'Understanding the question',
  searching: 'Searching the documents',
  reading: 'Reading what was found',
  writing: 'Writing the answer',
};

const ownFrames: AnswerFrames = {
  stage: (stage): StatusFrame => ({ event: 'status', stage, text: stageTexts[stage] }),
  token: (token) => ({ token, done: false }),
  failure: (error, requestId): ErrorFrame => ({
    error: error.message,
    done: true,
    code: error.code,
    request_id: requestId,
  }),
};
