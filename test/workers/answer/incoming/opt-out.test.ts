import { describe, expect, test } from 'vitest';
import type { Command, InboundEvent } from '../../../../core/contract/inbound.ts';
import { applyOptOut } from '../../../../workers/answer/answer-lane.ts';

const conversation = { lane: 'a', address: {} };
const sender = { id: 'ann', name: null, email: null, phone: null, language: null, kind: 'person' } as const;
const said = (command: Command | null): InboundEvent => ({
  type: 'message',
  conversation,
  sentAt: new Date(0),
  sender,
  messageId: 'm1',
  text: 'yes',
  attachments: [],
  addressed: true,
  command,
});

describe('messages of a visitor who opted out', () => {
  test('are stored for operators', () => {
    expect(applyOptOut(said(null), { isOptedOut: true })).toMatchObject({
      type: 'message',
      parked: 'the visitor opted out of messages',
    });
  });

  test('make the visitor reachable again with the resume command', () => {
    expect(applyOptOut(said('resume'), { isOptedOut: true })).toEqual({
      type: 'reachable',
      conversation,
      reachable: true,
      wished: true,
    });
  });
});

describe('messages of other visitors', () => {
  test('are left unchanged', () => {
    for (const event of [said(null), said('more'), { type: 'unsupported', nativeType: 'x' } as const])
      expect(applyOptOut(event, { isOptedOut: false })).toEqual(event);
  });

  test('are ordinary messages even with the text of the resume command', () => {
    expect(applyOptOut(said('resume'), { isOptedOut: false })).toEqual(said(null));
  });
});
