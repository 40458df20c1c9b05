import type { EarlierTurn } from '../contract/answer.ts';
import type { FoundPassage, RankedChunk } from '../knowledge/passage.ts';
import { rerankPassages, type SearchDependencies, searchKnowledge } from '../knowledge/search.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { type AskOptions, type AskResult, ask } from './ask.ts';
import type { AskDependencies } from './ask-request.ts';
import { maskQuestion } from './masking.ts';
import { isSkillEnabled } from './skills/built-in-skills.ts';
import { standaloneQuestion } from './understanding/standalone-question.ts';

/** The caller of the public agent interface, and the documents they may read. */
export interface AgentCaller {
  /** Audience tags. The caller may read documents without tags and those with at least one of these tags. */
  readonly audience: readonly string[];
  /** The caller's session; a conversation can be continued only in its own session. */
  readonly sessionId: string;
  /** Whether they hold a test key. */
  readonly isTest?: boolean;
}

/** A caller without an API key. All such callers share one session. */
export const anonymousCaller: AgentCaller = { audience: [], sessionId: 'nlweb' };

/** A question to the public agent of a workspace. */
export interface PublicQuestion {
  readonly workspace: Workspace;
  readonly caller: AgentCaller;
  readonly text: string;
  /** A conversation in the caller's session; null starts a new one. */
  readonly conversationId: string | null;
  /** The earlier exchanges as the caller reports them, oldest first, for a new conversation. */
  readonly earlierTurns: readonly EarlierTurn[];
  /** ISO 639-1 code of the caller's language; null to detect it from the question. */
  readonly locale: string | null;
}

/**
 * The only skill for anonymous agents. Leads and handovers are excluded, because the person behind an agent cannot be
 * reached.
 */
const SEARCH_SKILL = 'knowledge_search';

/**
 * Answers an agent's question from the documents that its caller may read. The workspace's requirement for verified
 * visitors does not apply, because the owner enabled this interface, or the caller has one of the owner's API keys.
 * Throws `conversation_not_found` for a conversation of another session.
 */
export function askAnonymously(
  dependencies: AskDependencies,
  question: PublicQuestion,
  options: AskOptions,
): Promise<AskResult> {
  const { workspace, caller, text, locale, conversationId, earlierTurns } = question;
  const { settings } = workspace;
  return ask(
    dependencies,
    {
      workspace: {
        ...workspace,
        settings: {
          ...settings,
          require_identity_verification: false,
          skills: [SEARCH_SKILL].filter((name) => isSkillEnabled(settings, name)),
        },
      },
      channel: 'api',
      question: text,
      locale,
      conversationId,
      earlierTurns,
      sessionId: caller.sessionId,
      isTest: caller.isTest,
      topK: null,
      strictness: null,
      temperature: null,
      audience: caller.audience,
      documentIds: null,
      identity: { user: null, token: null },
      metadata: null,
    },
    options,
  );
}

/** Returns the passages for a question among the documents that its caller may read, best first. */
export async function searchPublicDocuments(
  dependencies: SearchDependencies,
  { workspace, caller, ...asked }: Pick<PublicQuestion, 'workspace' | 'caller' | 'text' | 'earlierTurns'>,
): Promise<readonly RankedChunk<FoundPassage>[]> {
  const { text, earlierTurns } = maskQuestion(workspace, { ...asked, summary: null, overheard: [] });
  const { searchText } = standaloneQuestion(text, earlierTurns);
  const found = await searchKnowledge(dependencies, {
    workspaceId: workspace.id,
    question: searchText,
    audience: caller.audience,
    documentIds: null,
  });
  return (await rerankPassages(dependencies, found)).ranked;
}
