import { isSkillOn } from '../skills/is-skill-on.ts';
import { type AskDependencies, type AskOptions, type AskResult, ask } from './ask.ts';
import { fallbackMessage } from './fallback-message.ts';
import type { PublicQuestion } from './public-question.ts';

/** Marks the conversations that were begun by strangers: they continue those and no others. */
const sessionId = 'nlweb';
/** The one skill for strangers: nobody could reach whoever sent an agent. */
const searchSkill = 'knowledge_search';

/**
 * Answers an anonymous question from what is open to everybody, also where visitors of the workspace have to prove who
 * they are: the owner opened this door. Throws `conversation_not_found` for a conversation that was not begun so.
 */
export function askPublicly(
  dependencies: AskDependencies,
  question: PublicQuestion,
  options: AskOptions,
): Promise<AskResult> {
  const { workspace, text, locale, conversationId, earlierTurns } = question;
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
      sessionId,
      topK: 5,
      strictness: null,
      temperature: null,
      audience: [],
      documentIds: null,
      identity: { user: null, token: null },
      metadata: null,
    },
    options,
  );
}
