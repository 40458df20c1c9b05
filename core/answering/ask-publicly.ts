import { isSkillOn } from '../skills/is-skill-on.ts';
import { type AskDependencies, type AskOptions, type AskResult, ask } from './ask.ts';
import { fallbackMessage } from './fallback-message.ts';
import type { PublicQuestion } from './public-question.ts';

/** The one skill for strangers: nobody could reach whoever sent an agent. */
const searchSkill = 'knowledge_search';

/**
 * Answers an agent's question from the documents that its caller may read, also where the workspace requires verified
 * visitors: the owner opened this surface, or the caller holds an API key of theirs. Throws `conversation_not_found`
 * for a conversation of another session.
 */
export function askPublicly(
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
          skills: [searchSkill].filter((name) => isSkillOn(settings, name)),
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
