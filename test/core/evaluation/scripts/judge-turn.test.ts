import { describe, expect, test } from 'vitest';
import {
  type GivenReply,
  judgeScript,
  judgeTurn,
  type ScriptTurn,
} from '../../../../core/evaluation/scripts/judge-turn.ts';

const turn = (expected: Partial<ScriptTurn>): ScriptTurn => ({
  ...{ message: 'And in Norway?', document_id: null, phrase: null, refuse: false, person: false, tier: null },
  ...expected,
});
const given = (reply: Partial<GivenReply> = {}): GivenReply => ({
  ...{ tier: 'answer', text: 'You can return a box within **30 days**.', isHandedOver: false },
  used: [{ documentId: 'doc_1', section: 'Returns' }],
  ...reply,
});
const none = { tier: 'none', text: 'I have no answer to this.', used: [] } as const;
const outcomeOf = (expected: Partial<ScriptTurn>, reply?: Partial<GivenReply>) =>
  judgeTurn(turn(expected), given(reply)).outcome;

describe('a reply to a scripted customer', () => {
  test('is right if nothing must hold of it, whatever it is', () => {
    expect(outcomeOf({}, none)).toBe('right');
  });

  test('has the phrase and rests on the document: both must hold', () => {
    const both = { phrase: '30 Days', document_id: 'doc_1' };
    expect(outcomeOf(both)).toBe('right');
    expect(outcomeOf({ ...both, phrase: '60 days' })).toBe('wrong');
    expect(outcomeOf({ ...both, document_id: 'doc_2' })).toBe('wrong');
    expect(outcomeOf(both, none)).toBe('refused');
  });

  test('that comes from no document may have the phrase', () => {
    expect(outcomeOf({ phrase: 'no answer' }, none)).toBe('right');
  });

  test('must not answer: one that says it is unsure is wrong as well', () => {
    expect(outcomeOf({ refuse: true }, none)).toBe('right');
    expect(outcomeOf({ refuse: true })).toBe('wrong');
    expect(outcomeOf({ refuse: true }, { tier: 'maybe' })).toBe('wrong');
  });

  test('must hand over to a person', () => {
    expect(outcomeOf({ person: true }, { ...none, isHandedOver: true })).toBe('right');
    expect(judgeTurn(turn({ person: true }), given())).toEqual({
      outcome: 'wrong',
      because: 'The conversation is not handed over to a person.',
    });
  });

  test('is unsure if it says so, unless a tier must be reached at least', () => {
    const maybe = { tier: 'maybe' } as const;
    expect(outcomeOf({ phrase: '30 days' }, maybe)).toBe('unsure');
    expect(outcomeOf({ phrase: '30 days', tier: 'maybe' }, maybe)).toBe('right');
    expect(outcomeOf({ phrase: '30 days', tier: 'answer' }, maybe)).toBe('wrong');
    expect(outcomeOf({ tier: 'maybe' }, none)).toBe('refused');
    expect(outcomeOf({ tier: 'answer' })).toBe('right');
  });
});

describe('a script', () => {
  const right = { outcome: 'right', because: 'It holds.' } as const;
  const unsure = { outcome: 'unsure', because: 'It is unsure.' } as const;
  const wrong = { outcome: 'wrong', because: 'It rests on another document.' } as const;

  test('is judged by the first turn that failed, which it names', () => {
    const refused = { outcome: 'refused', because: 'No answer.' } as const;
    expect(judgeScript([right, unsure, wrong, refused])).toEqual({
      outcome: 'wrong',
      because: 'Turn 3: It rests on another document.',
    });
  });

  test('is unsure if a turn is, and right if every turn is', () => {
    expect(judgeScript([right, unsure, right])).toEqual({
      outcome: 'unsure',
      because: 'Turn 2: It is unsure.',
    });
    expect(judgeScript([right, right])).toMatchObject({ outcome: 'right' });
  });
});
