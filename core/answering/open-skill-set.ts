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

/** What may be done for the visitor who asks. */
export async function loadSkillSet(
  { clock, complete, httpSkills }: Pick<AskDependencies, 'clock' | 'complete' | 'httpSkills'>,
  { request, memory, visitor }: SkillSetRequest,
): Promise<SkillSet> {
  const { workspace, channel, conversationId, question } = request;
  const { settings } = workspace;
  // Only a model can tell when they are asked for.
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

/** Of the first text that tells its language. */
function detectVisitorLanguage(texts: readonly string[]): string {
  for (const text of texts) {
    const { code } = detectLanguage(text);
    if (code !== 'und') return code;
  }
  return 'en';
}

/** Who is proven says who he is; what else is known of him was told in the conversation. */
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
