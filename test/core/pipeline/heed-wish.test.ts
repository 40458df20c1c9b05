import { describe, expect, test } from 'vitest';
import type { Command, InboundEvent } from '../../../core/contract/inbound.ts';
import { applyOptOut } from '../../../workers/answer/answer-lane.ts';

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

describe('what somebody says who asked us not to write to him', () => {
  test('is kept for people', () => {
    expect(applyOptOut(said(null), { isOptedOut: true })).toMatchObject({
      type: 'message',
      parked: 'the visitor opted out of messages',
    });
  });

  test('ends that where it is the word for it', () => {
    expect(applyOptOut(said('resume'), { isOptedOut: true })).toEqual({
      type: 'reachable',
      conversation,
      reachable: true,
      wished: true,
    });
  });
});

describe('what anybody else says', () => {
  test('is left as it is', () => {
    for (const event of [said(null), said('more'), { type: 'unsupported', nativeType: 'x' } as const])
      expect(applyOptOut(event, { isOptedOut: false })).toEqual(event);
  });

  test('is an ordinary word also where it is the one for beginning again', () => {
    expect(applyOptOut(said('resume'), { isOptedOut: false })).toEqual(said(null));
  });
});
