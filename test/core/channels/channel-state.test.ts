import { describe, expect, test } from 'vitest';
import type { ChannelRecord } from '../../../core/channels/channel-record.ts';
import { channelState } from '../../../core/channels/channel-state.ts';

const heardAt = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number) => new Date(heardAt.getTime() + seconds * 1_000);
const record: ChannelRecord = {
  id: 'chan_1',
  workspaceId: 'ws_1',
  channel: 'fake',
  name: 'Fake',
  status: 'connected',
  lastError: null,
  heardAt,
  enabled: true,
  settings: {},
  profile: {},
  parentId: null,
  tenant: null,
  createdAt: new Date('2026-01-01T00:00:00Z'),
};

describe('a channel that is listened to', () => {
  test('is connected for two minutes after it was heard of, and stale then', () => {
    expect(channelState(record, 'listener', later(119))).toEqual({ status: 'connected', isStale: false });
    expect(channelState(record, 'listener', later(120))).toEqual({ status: 'stale', isStale: true });
  });

  test('has two minutes to be heard of at all', () => {
    const fresh: ChannelRecord = { ...record, status: 'connecting', heardAt: null, createdAt: heardAt };
    expect(channelState(fresh, 'listener', later(60))).toEqual({ status: 'connecting', isStale: false });
    expect(channelState(fresh, 'listener', later(180))).toEqual({ status: 'stale', isStale: true });
  });

  test('still tells its error, which says more', () => {
    const broken: ChannelRecord = { ...record, status: 'error' };
    expect(channelState(broken, 'listener', later(600))).toEqual({ status: 'error', isStale: true });
  });

  test('is not stale while it is switched off', () => {
    const off = { ...record, enabled: false };
    expect(channelState(off, 'listener', later(600))).toEqual({ status: 'connected', isStale: false });
  });
});

test.each(['webhook', null] as const)(
  'the silence of a channel whose intake is %s means nothing',
  (intake) => {
    expect(channelState(record, intake, later(86_400))).toEqual({ status: 'connected', isStale: false });
  },
);
