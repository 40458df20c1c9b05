import type { SkillMoment } from '../../contract/skill.ts';

/** The moment of a call that no visitor asked for; its channel tells the receiver. */
export function trialMoment(of: Pick<SkillMoment, 'workspaceId' | 'userId' | 'now'>): SkillMoment {
  return {
    ...of,
    channel: 'test',
    conversationId: null,
    question: '',
    language: 'en',
    earlierQuestions: [],
    customer: { name: null, email: null, phone: null },
    withPerson: false,
    awaited: null,
    signal: new AbortController().signal,
  };
}
