import type { Workspace } from '../workspaces/workspaces.ts';
import type { EarlierTurn } from './standalone-question.ts';

/** Who asks the public agent, and which documents they may read. */
export interface AgentCaller {
  /** Audience tags: documents without tags, and those with one of these, are read. */
  readonly audience: readonly string[];
  /** Conversations continue within one session only. */
  readonly sessionId: string;
}

/** A caller without an API key. Every such caller shares one session. */
export const anonymousCaller: AgentCaller = { audience: [], sessionId: 'nlweb' };

/** A question to the public agent of a workspace. */
export interface PublicQuestion {
  readonly workspace: Workspace;
  readonly caller: AgentCaller;
  readonly text: string;
  /** A conversation of the caller's session; null begins one. */
  readonly conversationId: string | null;
  /** What was said before, by the caller's own account: oldest first, for a conversation that begins here. */
  readonly earlierTurns: readonly EarlierTurn[];
  /** ISO 639-1 code of the language that the caller reads; null where the question tells it. */
  readonly locale: string | null;
}
