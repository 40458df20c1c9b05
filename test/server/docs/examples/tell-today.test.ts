import { expect, test } from 'vitest';
import { tellToday } from '../../../../server/docs/examples/skill-today/tell-today.ts';
import { skillSet } from '../../../helpers/models/skill-set.ts';

const { moment } = skillSet();
const asked = (question: string) => ({
  ...{ ...moment, question, awaited: null },
  signal: new AbortController().signal,
});

test('runs if the visitor asks for it in their own words', () => {
  expect(tellToday().trigger(asked('Hello, what day is it today?'))).toEqual({});
  expect(tellToday().trigger(asked('On what day do you deliver?'))).toBeNull();
});

test('replies in the language of the conversation, and stores nothing', async () => {
  const outcome = await tellToday().run({}, { ...asked('Welcher Tag ist heute?'), language: 'de' });
  expect(outcome).toEqual({ reply: 'Montag, 2. März 2026 (UTC).', finding: null, effects: [] });
});
