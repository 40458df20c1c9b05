import type { AskResult } from '../../core/answering/ask.ts';
import {
  type AgentCaller,
  anonymousCaller,
  askAnonymously,
  type PublicQuestion,
  searchPublicDocuments,
} from '../../core/answering/ask-publicly.ts';
import type { FoundPassage, RankedChunk } from '../../core/knowledge/passage.ts';
import { withReservedMessage } from '../../core/limits/quota.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { withDeadline } from '../deadline.ts';

interface AgentOptions {
  readonly workspace: Workspace;
  /** Milliseconds after which a question is aborted. */
  readonly timeoutMs: number;
  /** Defaults to an anonymous caller. */
  readonly caller?: AgentCaller;
}

type AgentQuestion = Omit<PublicQuestion, 'workspace' | 'caller'>;

/**
 * The questions that an agent can ask a workspace. Each question counts as one message of the owner, unless
 * it fails or comes with a test key. Throws `quota_exhausted` and `request_timeout`.
 */
export class PublicAgent {
  readonly workspace: Workspace;
  readonly caller: AgentCaller;
  readonly #runtime: Runtime;
  readonly #timeoutMs: number;

  constructor(runtime: Runtime, { workspace, timeoutMs, caller = anonymousCaller }: AgentOptions) {
    this.workspace = workspace;
    this.caller = caller;
    this.#runtime = runtime;
    this.#timeoutMs = timeoutMs;
  }

  /** Throws `conversation_not_found` for a conversation that was not started through the public agent. */
  ask(question: AgentQuestion): Promise<AskResult> {
    const { workspace, caller } = this;
    return this.#withQuota((signal) =>
      askAnonymously(this.#runtime, { ...question, workspace, caller }, { signal }),
    );
  }

  search(
    question: Pick<AgentQuestion, 'text' | 'earlierTurns'>,
  ): Promise<readonly RankedChunk<FoundPassage>[]> {
    const { workspace, caller } = this;
    const { database, embedder, corpora } = this.#runtime;
    return this.#withQuota(() =>
      searchPublicDocuments(
        { database: database.kysely, embedder, corpora },
        { ...question, workspace, caller },
      ),
    );
  }

  #withQuota<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.caller.isTest === true) return withDeadline(this.#timeoutMs, work);
    return withReservedMessage(this.#runtime.quota, this.workspace, () =>
      withDeadline(this.#timeoutMs, work),
    );
  }
}
