import { expect, test } from 'vitest';
import { listBudgets } from '../../../../core/channels/outbound/send-budgets.ts';
import { fakeChannel } from '../../../helpers/platforms/fake/channel.ts';

const chat = { key: 'chat', everyMs: 1_000, burst: 1 };
const token = { key: 'token', everyMs: 40, burst: 5, ofApp: true } as const;
const { platform, connector } = fakeChannel();
platform.budgetsOf = () => [chat, token];

const budgetsOf = (parentId: string | null) => {
  const account = {
    ...{ id: 'chan_1', workspaceId: 'ws_1', channel: 'fake', enabled: true, credentials: {}, settings: {} },
    ...{ secret: '', webhookUrl: null, profile: {}, parentId },
  };
  return listBudgets({ connector, account }, { lane: 'a', address: { chat: 'a' } });
};

test('budgets of an app are shared by all channels under it', () => {
  expect(budgetsOf('chan_app')).toEqual([
    { ...chat, channelId: 'chan_1' },
    { ...token, channelId: 'chan_app' },
  ]);
});

test('a channel with an app of its own owns all of its budgets', () => {
  expect(budgetsOf(null).map(({ channelId }) => channelId)).toEqual(['chan_1', 'chan_1']);
});
