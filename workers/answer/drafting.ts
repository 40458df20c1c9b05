import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AnswerListener } from '../../core/answering/answer.ts';
import type { OpenAccount } from '../../core/channels/channel-account.ts';
import type { ConversationRef, Json, Tools } from '../../core/contract/account.ts';
import type { Draft, Streaming } from '../../core/contract/facets.ts';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import { listBudgets, reserveOrWait } from '../../core/outbound/send-budgets.ts';
import { storedJson } from '../../core/text.ts';
import type { AskedTurn } from './plan-turn.ts';

type DraftingDependencies = Pick<
  LaneDependencies,
  'connectorCalls' | 'database' | 'log' | 'sendingLines' | 'writer'
>;

/** Shows an answer on the platform while it is made, where the platform can and the workspace wants it. */
export class Drafting {
  readonly #dependencies: DraftingDependencies;
  readonly #asked: AskedTurn;
  readonly #streaming: Streaming<unknown, unknown>;
  readonly #over = new AbortController();
  #text = '';
  #shown = '';
  #draft: Draft | null;
  #showing: Promise<void> | undefined;

  private constructor(
    dependencies: DraftingDependencies,
    asked: AskedTurn,
    streaming: Streaming<unknown, unknown>,
  ) {
    this.#dependencies = dependencies;
    this.#asked = asked;
    this.#streaming = streaming;
    this.#draft = null;
  }

  /**
   * Null where answers are not shown before they are whole: quotations are whole at once. What another process showed
   * of this answer before it died is taken over, to be replaced by the whole.
   */
  static async open(dependencies: DraftingDependencies, asked: AskedTurn): Promise<Drafting | null> {
    const { account, connector } = asked.open;
    const { streaming } = connector.facets;
    if (streaming === undefined || dependencies.writer === null) return null;
    if (!streaming.applies(asked.turn.conversation, account)) return null;
    const drafting = new Drafting(dependencies, asked, streaming);
    drafting.#draft = await drafting.#left();
    if (drafting.#draft !== null) drafting.#over.abort();
    return drafting;
  }

  readonly listener: AnswerListener = {
    stage: () => {},
    token: (piece) => {
      this.#text += piece;
      if (!this.#over.signal.aborted) this.#showing ??= this.#show();
    },
  };

  /** Shows no more, and tells what the whole is to be put in the place of; null where nothing was shown. */
  async end(): Promise<Json> {
    this.#over.abort();
    await this.#showing;
    return this.#draft?.state ?? null;
  }

  /** Takes back what was shown: nothing is said after all. */
  async discard(): Promise<void> {
    await this.end();
    const draft = this.#draft;
    if (draft === null) return;
    const { turn, open } = this.#asked;
    await this.#try((tools) => this.#streaming.discard(draft, turn.conversation, open.account, tools));
    await this.#keep(null);
  }

  /** A short answer is sent at once, and never shown before. */
  async #show(): Promise<void> {
    while (await this.#pause()) {
      if (this.#text === this.#shown) continue;
      if (!(await this.#mayCall())) continue;
      const text = this.#text;
      const draft = await this.#showMore(text);
      // What could not be shown once is not tried again: the whole answer comes all the same.
      if (draft === null) return;
      this.#draft = draft;
      this.#shown = text;
      await this.#keep(draft.state);
    }
  }

  #pause(): Promise<boolean> {
    return wait(this.#streaming.everyMs, true, { signal: this.#over.signal }).catch(() => false);
  }

  #showMore(text: string): Promise<Draft | null> {
    const { turn, open } = this.#asked;
    const to = turn.conversation;
    const draft = this.#draft;
    return this.#try((tools) =>
      draft === null
        ? this.#streaming.begin({ text, replyTo: turn.messageIds.at(-1) ?? null, to }, open.account, tools)
        : this.#streaming.show({ draft, text, shown: this.#shown, to }, open.account, tools),
    );
  }

  async #mayCall(): Promise<boolean> {
    const { turn, open } = this.#asked;
    const budgets = listBudgets(open, turn.conversation);
    return (await reserveOrWait(this.#dependencies, { budgets, called: null })) === null;
  }

  async #try<Result>(use: (tools: Tools) => Promise<Result>): Promise<Result | null> {
    const { connectorCalls, log } = this.#dependencies;
    const { account } = this.#asked.open;
    try {
      return await connectorCalls.call(account, use);
    } catch (err) {
      log.warn({ err, channel: account.id }, 'an answer could not be shown while it is made');
      return null;
    }
  }

  async #keep(state: Json): Promise<void> {
    const { channelId, lane, token } = this.#asked.held;
    await sql`
      update lane set draft = ${state === null ? null : JSON.stringify(state)}::jsonb
      where channel_id = ${channelId} and lane = ${lane} and answering = ${token}
    `.execute(this.#dependencies.database.kysely);
  }

  async #left(): Promise<Draft | null> {
    const { channelId, lane } = this.#asked.held;
    const row = await this.#dependencies.database.kysely
      .selectFrom('lane')
      .select('draft')
      .where('channel_id', '=', channelId)
      .where('lane', '=', lane)
      .executeTakeFirst();
    return row?.draft == null ? null : { state: storedJson.parse(row.draft) };
  }
}

type ShowTypingDependencies = Pick<LaneDependencies, 'connectorCalls' | 'log' | 'sendingLines'>;

/** Beside an answer that is there sooner it might come second, and platforms show it for seconds. */
const afterMs = 300;

/**
 * Shows that an answer is coming until the returned function is called. What fails of it nobody misses, and answers that
 * wait for the platform's limits come first.
 */
export function showTyping(
  { connectorCalls: calls, log, sendingLines }: ShowTypingDependencies,
  open: OpenAccount,
  to: ConversationRef,
): () => void {
  const { account, connector } = open;
  const { typing } = connector.facets;
  if (typing === undefined) return () => {};
  let isOver = false;
  const show = () => {
    if (sendingLines.findWaitBehindOthers(listBudgets(open, to), null) !== null) return;
    calls
      .call(account, (tools) => typing.show(to, account, tools))
      .catch((err: unknown) => {
        if (!isOver) log.warn({ err, channel: account.id }, 'typing could not be shown');
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
        }, afterMs);
  return () => {
    clearTimeout(timer);
    isOver = true;
  };
}
