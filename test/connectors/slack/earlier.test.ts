import { beforeEach, describe, expect, test } from 'vitest';
import { fetchThreadContext } from '../../../connectors/slack/thread-history.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack/account.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack/stand-in.ts';

const peer = await openSlackStandIn();
const channel = 'C0HELP001';
const root = '1790000004.000104';
const place = { tenant: 'T0GARDEN1', team: 'T0GARDEN1', channel, user: null, userTeam: null };
const to = { lane: `T0GARDEN1/${channel}/${root}`, address: { ...place, thread: root } };
const joined = { to, messageId: `${channel}/1790000900.000900` };
peer.channels.set(channel, 'open');
let accounts = 0;

/** A new account for each test, because profiles are cached per account. */
function accountWith(settings: Record<string, unknown> = {}) {
  accounts += 1;
  const own = slackSettings({ api_base_url: peer.url, ...settings });
  return slackAccount({ id: `chan_earlier${accounts}`, settings: own });
}

const at = (second: number) => `17900${String(second).padStart(5, '0')}.000${second}`;
const said = (second: number, text: string, more: object = {}) => ({
  type: 'message',
  user: 'U0BEN0002',
  text,
  ts: at(second),
  thread_ts: root,
  team: 'T0GARDEN1',
  ...more,
});
const first = { ...said(104, 'How long is the guarantee, &lt;roughly&gt;?'), ts: root, reply_count: 3 };
const read = (settings: Record<string, unknown> = {}, wanted = joined) =>
  fetchThreadContext(wanted, accountWith(settings), connectorTools());

beforeEach(() => {
  peer.calls.length = 0;
  peer.people.clear();
  peer.people.set('U0BEN0002', { real_name: 'Ben Beet', profile: { real_name: 'Ben Beet' } });
  peer.threads.set(`${channel}/${root}`, [first, said(105, 'Two years?'), said(901, 'said later')]);
});

describe('earlier messages of a thread', () => {
  test('have their text and the authors’ names, and end before the mention', async () => {
    expect(await read()).toEqual([
      { author: 'Ben Beet', text: 'How long is the guarantee, <roughly>?' },
      { author: 'Ben Beet', text: 'Two years?' },
    ]);
    expect(peer.countOf('users.info')).toBe(1);
  });

  test('omit the bot’s own, textless and empty messages, and name other bots', async () => {
    peer.threads.set(`${channel}/${root}`, [
      first,
      said(105, 'ours', { user: 'U0PARLEY1', bot_id: 'B0PARLEY1' }),
      said(106, 'has joined', { subtype: 'channel_join' }),
      said(107, ''),
      said(108, 'Deploy failed', { user: 'U0OTHERBOT', bot_id: 'B0OTHER01', bot_profile: { name: 'Alarm' } }),
      said(109, 'Help!', { user: 'U0NEW0009' }),
    ]);
    expect((await read()).slice(1)).toEqual([
      { author: 'Alarm', text: 'Deploy failed' },
      { author: 'U0NEW0009', text: 'Help!' },
    ]);
  });

  test('of a long thread are the first and the latest ones, over all pages', async () => {
    const replies = Array.from({ length: 450 }, (_, index) => said(105 + index, `reply ${index}`));
    peer.threads.set(`${channel}/${root}`, [first, ...replies]);
    const texts = (await read({ earlier_messages: 4 })).map(({ text }) => text);
    expect(texts).toEqual([
      'How long is the guarantee, <roughly>?',
      ...[447, 448, 449].map((index) => `reply ${index}`),
    ]);
    expect(peer.countOf('conversations.replies')).toBe(3);
    expect((await read()).length).toBe(20);
    expect((await read({ earlier_messages: 1 })).map(({ text }) => text)).toEqual(texts.slice(0, 1));
  });

  test('are the beginning of the thread if a later page is rate limited', async () => {
    const replies = Array.from({ length: 250 }, (_, index) => said(105 + index, `reply ${index}`));
    peer.threads.set(`${channel}/${root}`, [first, ...replies]);
    peer.trouble('conversations.replies', { kind: 'none' }, { kind: 'limited', retryAfter: 60 });
    expect((await read()).at(-1)?.text).toBe('reply 198');
  });

  test.each([
    ['a thread that begins with the mention', { to, messageId: `${channel}/${root}` }],
    [
      'a direct message',
      {
        to: { lane: 'T0GARDEN1/D0ANA0001', address: { ...place, channel: 'D0ANA0001', thread: root } },
        messageId: 'D0ANA0001/1790000900.000900',
      },
    ],
  ])('are not requested in %s', async (_, wanted) => {
    expect(await read({}, wanted)).toEqual([]);
    expect(peer.calls).toEqual([]);
  });

  test('are not requested if the setting is 0', async () => {
    expect(await read({ earlier_messages: 0 })).toEqual([]);
    expect(peer.calls).toEqual([]);
  });

  test.each([
    [{ kind: 'refused', error: 'missing_scope' } as const, /missing_scope/],
    [{ kind: 'limited', retryAfter: 60 } as const, /rate limit/],
    [{ kind: 'cut-before' } as const, /./],
  ])('are rejected with Slack’s error by %o', async (trouble, message) => {
    peer.trouble('conversations.replies', trouble);
    await expect(read()).rejects.toMatchObject({
      name: 'ConnectorError',
      message: expect.stringMatching(message),
    });
  });

  test('have user ids instead of names if Slack returns no names', async () => {
    peer.trouble('users.info', { kind: 'cut-before' });
    expect((await read()).map(({ author }) => author)).toEqual(['U0BEN0002', 'U0BEN0002']);
  });
});
