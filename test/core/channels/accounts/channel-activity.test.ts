import { describe, expect, test } from 'vitest';
import type { ChannelRecord } from '../../../../core/channels/accounts/channel-account.ts';
import { toChannelState } from '../../../../core/channels/accounts/channel-activity.ts';

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
  publicToken: null,
  shareableWith: [],
  createdAt: new Date('2026-01-01T00:00:00Z'),
};

const listened = { intake: 'listener', staleAfterMs: null } as const;

describe('a channel with a listener', () => {
  test('is connected for two minutes after its last activity, then stale', () => {
    expect(toChannelState(record, listened, later(119))).toEqual({ status: 'connected', isStale: false });
    expect(toChannelState(record, listened, later(120))).toEqual({ status: 'stale', isStale: true });
  });

  test('becomes stale earlier if its platform is never silent that long, and never later', () => {
    const chatty = { ...listened, staleAfterMs: 90_000 };
    expect(toChannelState(record, chatty, later(89))).toEqual({ status: 'connected', isStale: false });
    expect(toChannelState(record, chatty, later(90))).toEqual({ status: 'stale', isStale: true });
    const patient = { ...listened, staleAfterMs: 600_000 };
    expect(toChannelState(record, patient, later(120))).toEqual({ status: 'stale', isStale: true });
  });

  test('has two minutes for its first activity', () => {
    const fresh: ChannelRecord = { ...record, status: 'connecting', heardAt: null, createdAt: heardAt };
    expect(toChannelState(fresh, listened, later(60))).toEqual({ status: 'connecting', isStale: false });
    expect(toChannelState(fresh, listened, later(180))).toEqual({ status: 'stale', isStale: true });
  });

  test('keeps the status error, which is more specific', () => {
    const broken: ChannelRecord = { ...record, status: 'error' };
    expect(toChannelState(broken, listened, later(600))).toEqual({ status: 'error', isStale: true });
  });

  test('is not stale while it is disabled', () => {
    const off = { ...record, enabled: false };
    expect(toChannelState(off, listened, later(600))).toEqual({ status: 'connected', isStale: false });
  });
});

test.each(['webhook', null] as const)(
  'never reports a channel with the intake %s as stale for its silence',
  (intake) => {
    const hearing = { intake, staleAfterMs: null };
    expect(toChannelState(record, hearing, later(86_400))).toEqual({ status: 'connected', isStale: false });
  },
);

describe('a channel whose platform stops posting after repeated failures', () => {
  const posted = { intake: 'webhook', staleAfterMs: 3_600_000 } as const;

  test('is stale after the silence that its connector states, counted from its last activity', () => {
    expect(toChannelState(record, posted, later(3_599))).toEqual({ status: 'connected', isStale: false });
    expect(toChannelState(record, posted, later(3_600))).toEqual({ status: 'stale', isStale: true });
    const silent: ChannelRecord = { ...record, heardAt: null };
    expect(toChannelState(silent, posted, later(86_400))).toEqual({ status: 'connected', isStale: false });
  });

  test('is not stale while it is disabled, or if nothing is posted to it', () => {
    const off = { ...record, enabled: false };
    expect(toChannelState(off, posted, later(86_400))).toMatchObject({ isStale: false });
    expect(toChannelState(record, { ...posted, intake: null }, later(86_400))).toMatchObject({
      isStale: false,
    });
  });
});
