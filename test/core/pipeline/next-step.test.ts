import { describe, expect, test } from 'vitest';
import type { InboundEvent } from '../../../core/contract/inbound.ts';
import { type NumberedEvent, planTurn, sortBySentTime } from '../../../workers/answer/plan-turn.ts';

type Message = Extract<InboundEvent, { type: 'message' }>;

const conversation = { lane: 'a', address: { chat: 'a' } };
const person = { id: 'ann', name: 'Ann', email: null, phone: null, language: null, kind: 'person' as const };

function said(number: string, text: string, change: Partial<Message> = {}): NumberedEvent {
  return {
    number,
    event: {
      type: 'message',
      conversation,
      sentAt: new Date(0),
      sender: person,
      messageId: `m${number}`,
      text,
      attachments: [],
      addressed: true,
      command: null,
      ...change,
    },
  };
}

const blocked: NumberedEvent = {
  number: '9',
  event: { type: 'reachable', conversation, reachable: false },
};

describe('the next thing to do in a lane', () => {
  test('is a turn of all that was said one after the other', () => {
    expect(planTurn([said('1', 'hey'), said('2', ' how are '), said('3', '')], false)).toMatchObject({
      numbers: ['1', '2', '3'],
      action: { kind: 'turn', text: 'hey\nhow are', messageIds: ['m1', 'm2', 'm3'] },
    });
  });

  test('ends where somebody else speaks, a command comes, or something happens', () => {
    const others = [
      said('2', 'me too', { sender: { ...person, id: 'bob' } }),
      said('2', '', { command: 'human' }),
      blocked,
    ];
    for (const other of others) expect(planTurn([said('1', 'hey'), other], false).numbers).toEqual(['1']);
  });

  test('is a message alone that the platform waits for the answer of', () => {
    const [alone, plain] = [said('1', 'hey', { standsAlone: true }), said('2', 'and this')];
    expect(planTurn([alone, plain], false).numbers).toEqual(['1']);
    expect(planTurn([plain, alone], false).numbers).toEqual(['2']);
  });

  test('is a command alone', () => {
    const step = planTurn([said('1', '', { command: 'human' }), said('2', 'hey')], false);
    expect(step).toMatchObject({ numbers: ['1'], action: { command: 'human' } });
  });

  test('is what happened, where that comes first', () => {
    expect(planTurn([blocked, said('1', 'hey')], false)).toEqual({ numbers: ['9'], action: blocked.event });
  });

  test.each([
    ['ourselves', { sender: { ...person, kind: 'self' as const } }],
    ['a machine', { sender: { ...person, kind: 'machine' as const } }],
    ['one another', { addressed: false }],
  ])('passes over what is said by, or to, %s', (_, change) => {
    expect(planTurn([said('1', 'x', change)], false)).toEqual({ numbers: ['1'], action: null });
    expect(planTurn([said('1', 'x', change), said('2', 'hey')], false)).toMatchObject({
      numbers: ['1', '2'],
      action: { text: 'hey' },
    });
  });

  test('is what was said as it is by then: edited, and without what was taken back', () => {
    const about = { conversation, sentAt: new Date(0), sender: person };
    const edited: NumberedEvent = {
      number: '3',
      event: { type: 'message-edited', ...about, messageId: 'm1', text: 'hello' },
    };
    const deleted = (number: string, messageId: string): NumberedEvent => ({
      number,
      event: { type: 'message-deleted', ...about, messageId },
    });
    const events = [said('1', 'helo'), said('2', 'wrong'), edited, deleted('4', 'm2')];
    expect(planTurn(events, false)).toMatchObject({
      numbers: ['1', '2', '3', '4'],
      action: { text: 'hello' },
    });
    const taken = [said('1', 'wrong'), deleted('2', 'm1')];
    expect(planTurn(taken, false)).toEqual({ numbers: ['1', '2'], action: null });
    expect(planTurn([said('1', 'hey'), deleted('2', 'm0')], false).numbers).toEqual(['1']);
  });

  test('takes what is said in a group as said to us where we take part', () => {
    const inGroup = said('1', 'hey', { addressed: 'joined' });
    expect(planTurn([inGroup], false).action).toBeNull();
    expect(planTurn([inGroup], true).action).toMatchObject({ text: 'hey' });
  });

  test('is nothing where nothing came', () => {
    expect(planTurn([], false)).toEqual({ numbers: [], action: null });
  });
});

test('what overtook something that was said before it on its way comes after it, but past nothing else', () => {
  const at = (second: number) => ({ sentAt: new Date(second * 1_000) });
  const order = (...events: NumberedEvent[]) => sortBySentTime(events).map(({ number }) => number);
  expect(order(said('1', 'b', at(2)), said('2', 'a', at(1)), said('3', 'c', at(2)))).toEqual(['2', '1', '3']);
  expect(order(said('1', 'b', at(2)), blocked, said('3', 'a', at(1)))).toEqual(['1', '9', '3']);
});
