import { setTimeout as wait } from 'node:timers/promises';
import type { AnswerListener } from '../../core/answering/answer.ts';
import { withOwnerModels } from '../../core/answering/ask-request.ts';
import type { OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { loadLaneDraft, storeLaneDraft } from '../../core/channels/inbound/lane-records.ts';
import { listBudgets, reserveOrWait } from '../../core/channels/outbound/send-budgets.ts';
import type { ConversationRef, Json, Tools } from '../../core/contract/account.ts';
import type { Draft, Streaming } from '../../core/contract/facets.ts';
import type { AskedTurn } from './plan-turn.ts';

type DraftingDependencies = Pick<
  LaneDependencies,
  'connectorCalls' | 'database' | 'log' | 'budgetWaitQueue' | 'writer' | 'complete' | 'ownerModels'
>;

/** Streams an answer to the platform while it is generated. */
export class Drafting {
  readonly #dependencies: DraftingDependencies;
  readonly #asked: AskedTurn;
  readonly #streaming: Streaming;
  readonly #stopped = new AbortController();
  #text = '';
  #shown = '';
  #draft: Draft | null;
  #streamingLoop: Promise<void> | undefined;

  private constructor(dependencies: DraftingDependencies, asked: AskedTurn, streaming: Streaming) {
    this.#dependencies = dependencies;
    this.#asked = asked;
    this.#streaming = streaming;
    this.#draft = null;
  }

  /**
   * Returns null if the channel does not stream or no language model is configured, because quoted answers are
   * complete at once. If another process left a draft of this answer, the draft is adopted so that the final
   * answer replaces it.
   */
  static async open(dependencies: DraftingDependencies, asked: AskedTurn): Promise<Drafting | null> {
    const { account, connector } = asked.open;
    const { streaming } = connector.open(account);
    if (streaming?.applies(asked.turn.conversation) !== true) return null;
    const { owner, settings } = asked.workspace;
    const { writer } = await withOwnerModels(dependencies, owner, settings.model ?? null);
    if (writer === null) return null;
    const drafting = new Drafting(dependencies, asked, streaming);
    drafting.#draft = await drafting.#loadDraft();
    if (drafting.#draft !== null) drafting.#stopped.abort();
    return drafting;
  }

  readonly listener: AnswerListener = {
    stage: () => {},
    token: (piece) => {
      this.#text += piece;
      if (!this.#stopped.signal.aborted) this.#streamingLoop ??= this.#streamDrafts();
    },
  };

  /**
   * Stops streaming. Returns the draft's state, which the final message replaces, or null if no draft was
   * shown.
   */
  async end(): Promise<Json> {
    this.#stopped.abort();
    await this.#streamingLoop;
    return this.#draft?.state ?? null;
  }

  /** Deletes the draft, because no answer follows. */
  async discard(): Promise<void> {
    await this.end();
    const draft = this.#draft;
    if (draft === null) return;
    const { turn } = this.#asked;
    await this.#callPlatform((tools) => this.#streaming.discard(draft, turn.conversation, tools));
    await this.#storeDraft(null);
  }

  /** The first draft appears after one pause, so a short answer is sent without a draft. */
  async #streamDrafts(): Promise<void> {
    while (await this.#pause()) {
      if (this.#text === this.#shown) continue;
      if (!(await this.#reserveBudget())) continue;
      const text = this.#text;
      const draft = await this.#updateDraft(text);
      // A failed call is not retried: the complete answer follows anyway.
      if (draft === null) return;
      this.#draft = draft;
      this.#shown = text;
      await this.#storeDraft(draft.state);
    }
  }

  #pause(): Promise<boolean> {
    return wait(this.#streaming.everyMs, true, { signal: this.#stopped.signal }).catch(() => false);
  }

  #updateDraft(text: string): Promise<Draft | null> {
    const { turn } = this.#asked;
    const to = turn.conversation;
    const draft = this.#draft;
    return this.#callPlatform((tools) =>
      draft === null
        ? this.#streaming.begin({ text, replyTo: turn.messageIds.at(-1) ?? null, to }, tools)
        : this.#streaming.show({ draft, text, shown: this.#shown, to }, tools),
    );
  }

  async #reserveBudget(): Promise<boolean> {
    const { turn, open } = this.#asked;
    const budgets = listBudgets(open, turn.conversation);
    return (await reserveOrWait(this.#dependencies, { budgets, called: null })) === null;
  }

  async #callPlatform<Result>(use: (tools: Tools) => Promise<Result>): Promise<Result | null> {
    const { connectorCalls, log } = this.#dependencies;
    const { account } = this.#asked.open;
    try {
      return await connectorCalls.call(account, use);
    } catch (err) {
      log.warn({ err, channel: account.id }, 'streaming a draft failed');
      return null;
    }
  }

  async #storeDraft(state: Json): Promise<void> {
    await storeLaneDraft(this.#dependencies.database.kysely, this.#asked.held, state);
  }

  async #loadDraft(): Promise<Draft | null> {
    const state = await loadLaneDraft(this.#dependencies.database.kysely, this.#asked.held);
    return state === null ? null : { state };
  }
}

type ShowTypingDependencies = Pick<LaneDependencies, 'connectorCalls' | 'log' | 'budgetWaitQueue'>;

/**
 * Delay before the first typing indicator. A faster answer needs none, and platforms show the indicator for
 * several seconds.
 */
const TYPING_DELAY_MS = 300;

/**
 * Shows the typing indicator until the returned function is called. Failures are logged only. Skipped while
 * answers wait for the platform's rate limits.
 */
export function showTyping(
  { connectorCalls: calls, log, budgetWaitQueue }: ShowTypingDependencies,
  open: OpenAccount,
  to: ConversationRef,
): () => void {
  const { account, connector } = open;
  const { typing } = connector.open(account);
  if (typing === undefined) return () => {};
  let isOver = false;
  const show = () => {
    if (budgetWaitQueue.findWaitBehindOthers(listBudgets(open, to), null) !== null) return;
    calls
      .call(account, (tools) => typing.show(to, tools))
      .catch((err: unknown) => {
        if (!isOver) log.warn({ err, channel: account.id }, 'typing indicator failed');
      });
  };
  const begin = () => {
    show();
    return setInterval(show, typing.lastsMs);
  };
  let timer =
    typing.marksRead === true
      ? begin()
      : setTimeout(() => {
          timer = begin();
        }, TYPING_DELAY_MS);
  return () => {
    clearTimeout(timer);
    isOver = true;
  };
}
