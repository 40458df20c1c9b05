import type { SkillMoment } from '../../../core/contract/skill.ts';

/** The beginning of a conversation with an unknown visitor, unless changed. */
export function skillMoment(question: string, told: Partial<SkillMoment> = {}): SkillMoment {
  return {
    workspaceId: 'ws_test',
    channel: 'api',
    conversationId: null,
    question,
    language: 'en',
    earlierQuestions: [],
    customer: { name: null, email: null, phone: null },
    userId: null,
    withPerson: false,
    awaited: null,
    now: new Date('2026-07-06T10:00:00Z'),
    signal: new AbortController().signal,
    ...told,
  };
}
