import { expect, test } from 'vitest';
import { builtInSkillNames, builtInSkills, isSkillEnabled } from '../../../core/skills/built-in-skills.ts';

const names = (skills?: string[]) =>
  builtInSkills(skills === undefined ? {} : { skills }).map(({ name }) => name);

test('all skills are on unless the workspace names some, and a person comes before a form', () => {
  expect(names()).toEqual(['escalate_to_human', 'collect_lead']);
  expect(names(['escalate_to_human', 'knowledge_search'])).toEqual(['escalate_to_human']);
  expect(names([])).toEqual([]);
  expect(isSkillEnabled({}, 'knowledge_search')).toBe(true);
  expect(isSkillEnabled({ skills: ['collect_lead'] }, 'knowledge_search')).toBe(false);
});

test('what a skill is called is among the names', () => {
  for (const name of names()) expect(builtInSkillNames).toContain(name);
});
