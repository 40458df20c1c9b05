import type { SkillSet } from '../../../core/answering/question.ts';
import type { Skill, SkillMoment, SkillOutcome } from '../../../core/contract/skill.ts';

/** The skills for an unknown visitor in a conversation that begins: none, unless changed. */
export function skillSet(change: Partial<SkillSet> = {}, moment: Partial<SkillSet['moment']> = {}): SkillSet {
  return {
    skills: [],
    awaited: null,
    wanted: null,
    fallbacks: 0,
    escalateAfter: null,
    ...change,
    moment: {
      workspaceId: 'ws_1',
      channel: 'api',
      conversationId: null,
      question: 'Where is order 7?',
      language: 'en',
      earlierQuestions: [],
      customer: { name: null, email: null, phone: null },
      userId: null,
      withPerson: false,
      now: new Date('2026-03-02T10:00:00Z'),
      ...moment,
    },
  };
}

/** A skill with the given outcome, which records its calls. */
export function fakeSkill(outcome: Partial<SkillOutcome>, change: Partial<Skill> = {}) {
  const calls: { readonly given: unknown; readonly moment: SkillMoment }[] = [];
  const skill: Skill = {
    name: 'find_order',
    description: 'Finds an order.',
    parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
    runsFor: 'everyone',
    trigger: () => null,
    async run(given, moment) {
      calls.push({ given, moment });
      return { reply: null, finding: null, effects: [], ...outcome };
    },
    ...change,
  };
  return { skill, calls };
}
