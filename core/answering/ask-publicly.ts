import type { FoundPassage, RankedChunk } from '../knowledge/passage.ts';
import { type SearchDependencies, searchKnowledge } from '../knowledge/search.ts';
import { isSkillEnabled } from '../skills/built-in-skills.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { type AskOptions, type AskResult, ask } from './ask.ts';
import type { AskDependencies } from './ask-request.ts';
import { fallbackMessage } from './localised-texts.ts';
import { maskQuestion } from './masking.ts';
import { type EarlierTurn, standaloneQuestion } from './understanding/standalone-question.ts';

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

/** The one skill for strangers: nobody could reach whoever sent an agent. */
const SEARCH_SKILL = 'knowledge_search';

/**
 * Answers an agent's question from the documents that its caller may read, also where the workspace requires verified
 * visitors: the owner opened this surface, or the caller holds an API key of theirs. Throws `conversation_not_found`
 * for a conversation of another session.
 */
export function askAnonymously(
  dependencies: AskDependencies,
  question: PublicQuestion,
  options: AskOptions,
): Promise<AskResult> {
  const { workspace, caller, text, locale, conversationId, earlierTurns } = question;
  const { settings } = workspace;
  const unknown = settings.fallback_message ?? fallbackMessage(text, locale);
  return ask(
    dependencies,
    {
      workspace: {
        ...workspace,
        settings: {
          ...settings,
          require_identity_verification: false,
          fallback_message: unknown,
          skills: [SEARCH_SKILL].filter((name) => isSkillEnabled(settings, name)),
        },
      },
      channel: 'api',
      question: text,
      conversationId,
      earlierTurns,
      sessionId: caller.sessionId,
      topK: 5,
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

/** The passages for a question among the documents that its caller may read, best first. */
export async function searchPublicDocuments(
  dependencies: SearchDependencies,
  { workspace, caller, ...asked }: Pick<PublicQuestion, 'workspace' | 'caller' | 'text' | 'earlierTurns'>,
): Promise<readonly RankedChunk<FoundPassage>[]> {
  const { text, earlierTurns } = maskQuestion(workspace, { ...asked, summary: null, overheard: [] });
  const { searchText } = standaloneQuestion(text, earlierTurns);
  const { ranked } = await searchKnowledge(dependencies, {
    workspaceId: workspace.id,
    question: searchText,
    audience: caller.audience,
    documentIds: null,
  });
  return ranked;
}
