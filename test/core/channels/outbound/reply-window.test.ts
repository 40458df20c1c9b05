import { expect, test } from 'vitest';
import { toReplyWindow } from '../../../../core/channels/outbound/reply-window.ts';
import { fakeChannel, withMembers } from '../../../helpers/platforms/fake/channel.ts';

const { connector } = fakeChannel();
const account = {
  id: 'chan_1',
  workspaceId: 'ws_1',
  channel: 'fake',
  enabled: true,
  credentials: {},
  settings: {},
  secret: '',
  webhookUrl: null,
  profile: {},
  parentId: null,
};
const open = (applies: boolean) => ({
  account,
  connector: withMembers(connector, {
    window: {
      lastsMs: 1_000,
      reason: 'too late',
      appliesTo: () => applies,
      renderTemplate: () => null,
      isTimeless: () => false,
    },
  }),
});
const place = (heardAt: Date | null, now: number) => ({
  to: { lane: 'a', address: {} },
  heardAt,
  now: new Date(now),
});

test('a reply window closes exactly after its duration, to the millisecond', () => {
  const closesAt = new Date(1_500);
  expect(toReplyWindow(open(true), place(new Date(500), 1_499))).toEqual({ isOpen: true, closesAt });
  expect(toReplyWindow(open(true), place(new Date(500), 1_500))).toEqual({ isOpen: false, closesAt });
});

test('it is closed if the visitor never wrote, and absent if the channel has none', () => {
  expect(toReplyWindow(open(true), place(null, 0))).toEqual({ isOpen: false, closesAt: null });
  expect(toReplyWindow(open(false), place(null, 0))).toBeNull();
  expect(toReplyWindow({ account, connector }, place(null, 0))).toBeNull();
});
