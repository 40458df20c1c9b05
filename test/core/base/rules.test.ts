import { expect, test } from 'vitest';
import { answerRules, quoteRules } from '../../../core/answering/rules.ts';
import { listRules, varyRule } from '../../../core/base/rules.ts';
import { factRules } from '../../../core/knowledge/facts/rules.ts';
import { searchRules } from '../../../core/knowledge/rules.ts';

test('rules are known by their area and name', () => {
  const areas = { search: searchRules, answer: answerRules, quote: quoteRules, facts: factRules };
  const all = Object.entries(areas).flatMap(([area, rules]) =>
    Object.entries(rules).map(([name, value]) => [`${area}.${name}`, value] as const),
  );
  expect(listRules()).toEqual(new Map(all));
  expect(listRules().get('search.answerThreshold')).toBe(0.4);
});

test('an evaluation varies a rule by its name, and an unknown name is reported', () => {
  const before = quoteRules.plainCharacters;
  expect(varyRule('quote.plainCharacters', 7)).toBe(true);
  expect(quoteRules.plainCharacters).toBe(7);
  expect(varyRule('quote.plainCharacters', before)).toBe(true);
  for (const unknown of ['quote.words', 'plainCharacters', 'unknown.plainCharacters', ''])
    expect(varyRule(unknown, 1)).toBe(false);
});
