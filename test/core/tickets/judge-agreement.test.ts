import { describe, expect, test } from 'vitest';
import { judgeAgreement } from '../../../core/tickets/judge-agreement.ts';

const compared = {
  question: 'Can I return a box?',
  reply: 'Yes, you can return a box within 30 days of delivery.',
  answer: 'You can return a box within 30 days of delivery.',
  language: 'en',
  cosine: 0.9,
};

describe('an answer and the reply of an agent', () => {
  test('agree if they say the same, in other words too', () => {
    expect(judgeAgreement(compared).agrees).toBe(true);
    expect(
      judgeAgreement({ ...compared, answer: 'Boxes may be sent back for 30 days.', cosine: 0.8 }).agrees,
    ).toBe(true);
  });

  test('differ by a number of the same kind, however alike they are', () => {
    const other = judgeAgreement({ ...compared, answer: 'You can return a box within 14 days of delivery.' });
    expect(other).toEqual({ agrees: false, because: expect.stringContaining('30') });
  });

  test('a number of the question, or one more than the agent wrote, is no difference', () => {
    const more = 'You can return a box within 30 days of delivery. The refund takes 5 days.';
    expect(judgeAgreement({ ...compared, answer: more }).agrees).toBe(true);
    const asked = {
      question: 'I have it for 20 days, can I return a box?',
      reply: 'After 20 days you can return a box.',
    };
    expect(judgeAgreement({ ...compared, ...asked }).agrees).toBe(true);
  });

  test('differ by a denial', () => {
    const answer = 'You cannot return a box after delivery.';
    const denied = judgeAgreement({ ...compared, reply: 'You can return a box after delivery.', answer });
    expect(denied).toEqual({ agrees: false, because: expect.stringContaining('contradicts') });
  });

  test('differ if they mean something else; without a model, words decide', () => {
    const answer = 'The shop opens at nine.';
    expect(judgeAgreement({ ...compared, answer, cosine: 0.1 }).agrees).toBe(false);
    expect(judgeAgreement({ ...compared, answer, cosine: null }).agrees).toBe(false);
    expect(judgeAgreement({ ...compared, cosine: null }).agrees).toBe(true);
  });
});
