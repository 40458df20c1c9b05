import { rejectOnAbort } from '../../base/async.ts';
import type { Answer, Citation, DecisionRecord } from '../../contract/answer.ts';
import type { AnswerDelta } from '../../contract/answer-writer.ts';
import type { SkillEffect } from '../../contract/skill.ts';
import type { AnswerListener, Stage } from '../answer.ts';
import type { Asked, FoundPart } from '../asked.ts';
import { type Basis, conclude, type Decision } from '../decide.ts';
import type { LinkGuard } from '../safety/link-guard.ts';
import type { TraceRecorder } from '../trace/recorder.ts';
import { releaseEvenly, splitTokens } from './even-release.ts';

interface DraftOptions {
  /** Once it aborts, every step throws its reason. */
  readonly signal: AbortSignal;
  readonly listener?: AnswerListener | undefined;
  /** Null or absent: nothing is recorded. */
  readonly trace?: TraceRecorder | null | undefined;
}

/** A skill that ran, with the effects to store. */
export interface SkillRun {
  readonly skill: string;
  readonly effects: readonly SkillEffect[];
}

/** A writer's report about the passages that support its text. */
export interface GroundedText {
  readonly chunkIds: ReadonlySet<string>;
  readonly isGrounded: boolean;
  /** Whether sentences that no passage supports were left out or replaced by quotes. */
  readonly isTrimmed: boolean;
  /** The indexes of the answered questions, if there are several; null if all are. */
  readonly answeredParts: readonly number[] | null;
  readonly wantsAction: boolean;
}

/** The steps before the first word of an answer. */
export interface Trail {
  readonly asked: Asked;
  readonly parts: readonly FoundPart[];
  readonly decision: Decision;
}

/** An answer in progress: notifies the listener, holds the text written so far and knows what it rests on. */
export class AnswerDraft {
  readonly signal: AbortSignal;
  /** Records how the answer is made; null if nobody wants to know. */
  readonly trace: TraceRecorder | null;
  /** Awaits one promise, but rejects as soon as the signal aborts. */
  readonly wait: <Value>(promise: Promise<Value>) => Promise<Value>;
  readonly #listener: AnswerListener | undefined;
  #trail: Trail | null = null;
  #basis: Basis = { kind: 'nothing' };
  readonly #fired: SkillRun[] = [];
  readonly #offered: SkillRun[] = [];
  readonly #citations: Citation[] = [];
  #text = '';
  #gap = '';
  #tokensUsed = 0;
  #isGenerated = false;
  #model: NonNullable<DecisionRecord['model']> | null = null;

  constructor({ signal, listener, trace = null }: DraftOptions) {
    this.signal = signal;
    this.trace = trace;
    this.wait = rejectOnAbort(signal);
    this.#listener = listener;
  }

  /** Whether a listener receives the answer as it is written. */
  get isHeard(): boolean {
    return this.#listener !== undefined;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  get text(): string {
    return this.#text;
  }

  /** Null until something was decided. */
  get trail(): Trail | null {
    return this.#trail;
  }

  get basis(): Basis {
    return this.#basis;
  }

  /** The language model that wrote, and how many failed before it; null if none did. */
  get model(): NonNullable<DecisionRecord['model']> | null {
    return this.#model;
  }

  /** Records what was decided, before the first word. */
  begin(trail: Trail): void {
    this.#trail = trail;
    if (trail.decision.act === 'reply') this.#basis = { kind: 'reply' };
  }

  /** Records what the text rests on from now on. */
  restOn(basis: Basis): void {
    this.#basis = basis;
  }

  /** Returns the answer written so far. */
  conclude(): Answer {
    const { because: _, ...grounds } = conclude(this.#trail?.parts ?? [], this.#basis);
    const skillsFired = [...new Set(this.#fired.map(({ skill }) => skill))];
    const citations = this.#citeSources(grounds.sources);
    const isGenerated = grounds.isGenerated || this.#isGenerated;
    return {
      ...grounds,
      isGenerated,
      text: this.#text,
      citations,
      tokensUsed: this.#tokensUsed,
      skillsFired,
    };
  }

  /** Returns the citations of a text that rests on documents, as far as their passages are sources of it. */
  #citeSources(sources: Answer['sources']): readonly Citation[] {
    if (this.#basis.kind !== 'model' && this.#basis.kind !== 'quotes') return [];
    const known = new Set(sources.map(({ chunkId }) => chunkId));
    return this.#citations
      .map((citation) => ({ ...citation, chunkIds: citation.chunkIds.filter((id) => known.has(id)) }))
      .filter(({ chunkIds }) => chunkIds.length > 0);
  }

  /** Records what sentences of the next text rest on; offsets into that text, in UTF-16 code units. */
  cite(citations: readonly Citation[], base = this.#text.length + this.#gap.length): void {
    for (const { start, end, chunkIds } of citations)
      if (start < end) this.#citations.push({ start: base + start, end: base + end, chunkIds });
  }

  /** Adds tokens that were billed apart from the text. */
  spend(tokens: number): void {
    this.#tokensUsed += tokens;
  }

  /** The skills that ran, in order. */
  get fired(): readonly SkillRun[] {
    return this.#fired;
  }

  fire(fired: SkillRun): void {
    this.#fired.push(fired);
  }

  /** The skills that the answer offers, with the effects to store. */
  get offered(): readonly SkillRun[] {
    return this.#offered;
  }

  /** Records that a skill waits for the visitor's consent. It has not run. */
  offer(offered: SkillRun): void {
    this.#offered.push(offered);
  }

  async enter(stage: Stage): Promise<void> {
    this.trace?.enter(stage);
    this.signal.throwIfAborted();
    await this.#notify(this.#listener?.stage(stage));
    this.signal.throwIfAborted();
  }

  /** Starts a new paragraph with the next text. */
  beginParagraph(): void {
    if (!this.isEmpty) this.#gap = '\n\n';
  }

  /** Adds a complete text; a listener receives it word by word. */
  async say(text: string): Promise<void> {
    if (this.#listener === undefined) await this.#add(text);
    else for (const token of splitTokens(text)) await this.#add(token);
  }

  /**
   * Adds the pieces of a writer as they arrive, without links to foreign hosts; at an even pace if a person reads them.
   * Returns the passages the writer reported.
   */
  async relay(deltas: AsyncIterable<AnswerDelta>, guard: LinkGuard): Promise<GroundedText> {
    const chunkIds = new Set<string>();
    let isGrounded = true;
    let isTrimmed = false;
    let answeredParts: readonly number[] | null = null;
    let wantsAction = false;
    const base = this.#text.length + this.#gap.length;
    let citations: readonly Citation[] = [];
    const pieces = this.#listener?.isRead === true ? releaseEvenly(deltas) : deltas;
    const source = pieces[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.wait(source.next());
        if (done) {
          await this.#addGenerated(guard.end());
          this.cite(
            citations.map((citation) => locateCitation(citation, guard)),
            base,
          );
          return { chunkIds, isGrounded, isTrimmed, answeredParts, wantsAction };
        }
        this.#tokensUsed += value.tokensUsed ?? 0;
        this.#model = value.model ?? this.#model;
        if (value.wantsAction === true) wantsAction = true;
        if (value.ungrounded === true) isGrounded = false;
        if (value.trimmed === true) isTrimmed = true;
        answeredParts = value.answeredParts ?? answeredParts;
        citations = value.citations ?? citations;
        for (const id of value.chunkIds ?? []) chunkIds.add(id);
        await this.#addGenerated(guard.push(value.text));
      }
    } finally {
      // The writer is closed without waiting: its outcome no longer matters once the answer has ended or was aborted.
      void Promise.allSettled([source.return?.()]);
    }
  }

  async #addGenerated(text: string): Promise<void> {
    if (text !== '') this.#isGenerated = true;
    await this.#add(text);
  }

  async #add(text: string): Promise<void> {
    if (text === '') return;
    this.signal.throwIfAborted();
    const added = this.#gap + text;
    this.#gap = '';
    this.#text += added;
    await this.#notify(this.#listener?.token(added));
  }

  async #notify(pending: void | Promise<void> | undefined): Promise<void> {
    if (pending !== undefined) await this.wait(pending);
  }
}

function locateCitation({ start, end, chunkIds }: Citation, guard: LinkGuard): Citation {
  return { start: guard.locate(start), end: guard.locate(end), chunkIds };
}
