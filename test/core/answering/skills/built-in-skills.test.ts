import { expect, test } from 'vitest';
import {
  builtInSkillNames,
  builtInSkills,
  isSkillEnabled,
} from '../../../../core/answering/skills/built-in-skills.ts';

const names = (skills?: string[]) =>
  builtInSkills(skills === undefined ? {} : { skills }).map(({ name }) => name);

test('all skills are enabled by default, and the human skill precedes the lead form', () => {
  expect(names()).toEqual(['escalate_to_human', 'collect_lead']);
  expect(names(['escalate_to_human', 'knowledge_search'])).toEqual(['escalate_to_human']);
  expect(names([])).toEqual([]);
  expect(isSkillEnabled({}, 'knowledge_search')).toBe(true);
  expect(isSkillEnabled({ skills: ['collect_lead'] }, 'knowledge_search')).toBe(false);
});

test('every built-in skill has a listed name', () => {
  for (const name of names()) expect(builtInSkillNames).toContain(name);
});
