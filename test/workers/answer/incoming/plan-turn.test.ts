import { describe, expect, test } from 'vitest';
import type { InboundEvent } from '../../../../core/contract/inbound.ts';
import { type NumberedEvent, planTurn, sortBySentTime } from '../../../../workers/answer/plan-turn.ts';

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

describe('the next action in a lane', () => {
  test('is one turn of all consecutive messages', () => {
    expect(planTurn([said('1', 'hey'), said('2', ' how are '), said('3', '')], false)).toMatchObject({
      numbers: ['1', '2', '3'],
      action: { kind: 'turn', text: 'hey\nhow are', messageIds: ['m1', 'm2', 'm3'] },
    });
  });

  test('ends at another sender, a command or another event', () => {
    const others = [
      said('2', 'me too', { sender: { ...person, id: 'bob' } }),
      said('2', '', { command: 'human' }),
      blocked,
    ];
    for (const other of others) expect(planTurn([said('1', 'hey'), other], false).numbers).toEqual(['1']);
  });

  test('is a single message if the platform waits for its answer', () => {
    const [alone, plain] = [said('1', 'hey', { standsAlone: true }), said('2', 'and this')];
    expect(planTurn([alone, plain], false).numbers).toEqual(['1']);
    expect(planTurn([plain, alone], false).numbers).toEqual(['2']);
  });

  test('is a command by itself', () => {
    const step = planTurn([said('1', '', { command: 'human' }), said('2', 'hey')], false);
    expect(step).toMatchObject({ numbers: ['1'], action: { command: 'human' } });
  });

  test('is an event that comes first', () => {
    expect(planTurn([blocked, said('1', 'hey')], false)).toEqual({ numbers: ['9'], action: blocked.event });
  });

  test.each([
    ['ourselves', { sender: { ...person, kind: 'self' as const } }],
    ['a machine', { sender: { ...person, kind: 'machine' as const } }],
    ['one another', { addressed: false }],
  ])('skips messages from or to %s', (_, change) => {
    expect(planTurn([said('1', 'x', change)], false)).toEqual({ numbers: ['1'], action: null });
    expect(planTurn([said('1', 'x', change), said('2', 'hey')], false)).toMatchObject({
      numbers: ['1', '2'],
      action: { text: 'hey' },
    });
  });

  test('uses messages as edited meanwhile, without deleted ones', () => {
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

  test('takes group messages as addressed to the bot if it has joined', () => {
    const inGroup = said('1', 'hey', { addressed: 'joined' });
    expect(planTurn([inGroup], false).action).toBeNull();
    expect(planTurn([inGroup], true).action).toMatchObject({ text: 'hey' });
  });

  test('is nothing without events', () => {
    expect(planTurn([], false)).toEqual({ numbers: [], action: null });
  });
});

test('puts a message that overtook an earlier one after it, but not past other events', () => {
  const at = (second: number) => ({ sentAt: new Date(second * 1_000) });
  const order = (...events: NumberedEvent[]) => sortBySentTime(events).map(({ number }) => number);
  expect(order(said('1', 'b', at(2)), said('2', 'a', at(1)), said('3', 'c', at(2)))).toEqual(['2', '1', '3']);
  expect(order(said('1', 'b', at(2)), blocked, said('3', 'a', at(1)))).toEqual(['1', '9', '3']);
});
