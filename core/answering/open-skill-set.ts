import type { ConversationMemory } from '../conversations/conversation-memory.ts';
import { detectLanguage } from '../knowledge/text/language.ts';
import { builtInSkills, isSkillEnabled } from '../skills/built-in-skills.ts';
import type { VerifiedVisitor } from '../workspaces/identity.ts';
import type { AskDependencies, AskRequest } from './ask-request.ts';
import type { SkillSet } from './question.ts';

interface SkillSetRequest {
  readonly request: AskRequest;
  readonly memory: ConversationMemory;
  readonly visitor: VerifiedVisitor | null;
}

/** Loads the skills that may run for the visitor, and their context. */
export async function loadSkillSet(
  { clock, complete, httpSkills }: Pick<AskDependencies, 'clock' | 'complete' | 'httpSkills'>,
  { request, memory, visitor }: SkillSetRequest,
): Promise<SkillSet> {
  const { workspace, channel, conversationId, question } = request;
  const { settings } = workspace;
  // The workspace's own HTTP skills need a model: they have no triggers.
  const own = complete === null || !workspace.hasOwnSkills ? [] : await httpSkills.enabledFor(workspace.id);
  const earlierQuestions = memory.turns.map((turn) => turn.question);
  return {
    skills: [...builtInSkills(settings), ...own.filter(({ name }) => isSkillEnabled(settings, name))],
    moment: {
      workspaceId: workspace.id,
      channel,
      conversationId,
      question,
      language: detectVisitorLanguage([question, ...earlierQuestions.toReversed()]),
      earlierQuestions,
      customer: knownCustomer(memory, visitor),
      userId: visitor?.userId ?? null,
      withPerson: memory.withPerson,
      now: clock.now(),
    },
    awaited: memory.awaited,
    wanted: request.skill ?? null,
    fallbacks: memory.fallbacks,
    escalateAfter: settings.escalate_after_fallbacks ?? null,
  };
}

/** Returns the language of the first text whose language can be detected. */
function detectVisitorLanguage(texts: readonly string[]): string {
  for (const text of texts) {
    const { code } = detectLanguage(text);
    if (code !== 'und') return code;
  }
  return 'en';
}

/** Prefers the verified profile over facts stated in the conversation. */
function knownCustomer(
  { customer }: ConversationMemory,
  visitor: VerifiedVisitor | null,
): SkillSet['moment']['customer'] {
  return {
    name: visitor?.customer.name ?? customer.name,
    email: visitor?.customer.email ?? customer.email,
    phone: visitor?.customer.phone ?? customer.phone,
  };
}
