import { expect, test } from 'vitest';
import { createPerfectModel } from './perfect-model.ts';
import type { VisitorMessage } from './visitor-message.ts';

const returns: VisitorMessage = {
  ...{ kind: 'fact', message: 'How long have I got?', turns: [], forbid: [], exception: [], blind: false },
  expect: ['60 days'],
  evidence: [['Returns > You have 60 days', 'Orders > send it back within 60 days']],
};

function ask(message: VisitorMessage, passage: string) {
  const model = createPerfectModel([message]);
  const reply = model.reply({
    model: 'perfect',
    messages: [
      { role: 'system', content: 'You answer questions' },
      { role: 'user', content: `${passage}\n<question>\n${message.message}\n</question>` },
    ],
  });
  return { reply, isReached: model.reached.has(message.message) };
}

const passage = (from: string, text: string) => `<passage number="1" from="${from}">\n${text}\n</passage>`;

test('a message is reached by the passage that it needs, or by another one that says the same', () => {
  const found = passage('Returns > Sending back', 'You have 60 days from delivery.');
  expect(ask(returns, found)).toEqual({ reply: 'You have 60 days from delivery. [1]', isReached: true });
  expect(ask(returns, passage('Orders', 'You may send it back within 60 days.')).isReached).toBe(true);
});

test('a passage that holds the expected string about something else does not reach it', () => {
  const other = passage('Warranty', 'Register within 60 days. You have 60 days of free service.');
  expect(ask(returns, other)).toEqual({ reply: 'NO_ANSWER', isReached: false });
});

test('without evidence, any passage with the expected strings reaches a message', () => {
  expect(ask({ ...returns, evidence: [] }, passage('Warranty', 'Within 60 days.')).isReached).toBe(true);
});
