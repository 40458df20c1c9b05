import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTyping, deliver, findSent, welcome } from '../../../connectors/slack/deliver.ts';
import { parseAddress } from '../../../connectors/slack/identifiers.ts';
import { render } from '../../../connectors/slack/render.ts';
import { probe } from '../../../connectors/slack/setup.ts';
import type { Reply } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack/account.ts';
import { shownIn } from '../../helpers/platforms/slack/messages.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack/stand-in.ts';
import { hooks } from './contract-hooks.ts';

const peer = await openSlackStandIn();
const account = slackAccount({ settings: slackSettings({ api_base_url: peer.url }) });
const to = hooks.conversation;
const channel = 'C0HELP001';
const thread = '1790000001.000101';
const part = (text: string, more: Partial<Reply> = {}) => {
  const [first] = render(plainReply({ text, ...more }), to);
  if (first === undefined) throw new TypeError('no part');
  return first;
};
const offering = { offers: ['feedback', 'human'] } as const;

beforeEach(() => {
  peer.channels.set(channel, 'open');
  peer.messages.splice(0);
  peer.calls.splice(0);
});
afterEach(() => peer.revoked.clear());

describe('an answer', () => {
  test('is posted to its thread as Markdown, with its sources and buttons below it', async () => {
    const sources = [
      { title: 'Hours | weekdays <all>', url: 'https://help.example/a|b?x=1&y=2' },
      { title: 'A paper', url: null },
    ];
    const receipt = await deliver(
      part('We are **open**.', { sources, ...offering, language: 'de' }),
      to,
      account,
      connectorTools(),
    );
    const [message] = peer.messages;
    expect(receipt).toEqual({ messageId: `${channel}/${message?.ts}` });
    expect(message).toMatchObject({ channel, thread, text: expect.stringContaining('We are open.') });
    expect(message?.blocks.map(({ type }) => type)).toEqual([
      'markdown',
      'context',
      'context_actions',
      'actions',
    ]);
    expect(JSON.stringify(message?.blocks)).toContain(
      '🔗 <https://help.example/a%7Cb?x=1&amp;y=2|Hours ¦ weekdays &lt;all&gt;>\\n📄 A paper',
    );
    expect(JSON.stringify(message?.blocks)).toContain('Mit einem Menschen sprechen');
    expect(JSON.stringify(message?.blocks)).toContain('Keine gute Antwort');
    expect(message?.params).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false' });
  });

  test('mentions no person or channel, whatever the model generated', async () => {
    await deliver(
      part('Ask <!channel>, <@U0BEN0002> or <!subteam^S1> & `<!here>`'),
      to,
      account,
      connectorTools(),
    );
    const [message] = peer.messages;
    expect(shownIn(message ?? peer.messages[0] ?? failed())).not.toMatch(/<[!@]/);
    expect(message?.text).toContain('&lt;!channel&gt;');
  });

  test('is sent with plain buttons, then as plain text, if Slack refuses the blocks', async () => {
    const tools = connectorTools();
    const refused = { kind: 'refused', error: 'invalid_blocks' } as const;
    peer.trouble('chat.postMessage', refused, { kind: 'refused', error: 'something_else' });
    await expect(deliver(part('Yes.', offering), to, account, tools)).rejects.toMatchObject({
      advice: { retry: 'never' },
    });
    peer.trouble('chat.postMessage', refused);
    await deliver(part('Yes.', offering), to, account, tools);
    peer.trouble('chat.postMessage', refused, refused);
    await deliver(part('No & <never>.', offering), to, account, tools);
    expect(peer.messages.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
      ['markdown', 'actions'],
      [],
    ]);
    expect(peer.messages[1]?.text).toBe('No &amp; &lt;never&gt;.');
    expect(JSON.stringify(peer.messages[0]?.blocks)).toMatch(
      /parley_feedback:up.*parley_feedback:down.*parley_person/,
    );
    expect(tools.warned).toHaveLength(4);
  });

  test('names its team in an organisation-wide installation', async () => {
    const profile = { ...account.profile, is_enterprise_install: true, enterprise_id: 'E0GARDENS' };
    await deliver(part('Yes.'), to, { ...account, profile }, connectorTools());
    expect(peer.messages[0]?.params).toMatchObject({ team_id: 'T0GARDEN1' });
  });
});

describe('a refused call', () => {
  const refusalOf = () =>
    deliver(part('Yes.'), to, account, connectorTools()).catch((error: unknown) => error);

  test('is retried after the time that Slack names, if the rate is limited', async () => {
    peer.trouble('chat.postMessage', { kind: 'limited', retryAfter: 3 });
    expect(await refusalOf()).toMatchObject({
      advice: { retry: 'after', afterMs: 3_000, limited: 'unsaid' },
      account: false,
    });
    expect(peer.countOf('chat.postMessage')).toBe(1);
  });

  test('is never retried for a deleted, archived or foreign channel', async () => {
    for (const prepare of [
      () => peer.channels.delete(channel),
      () => peer.channels.set(channel, 'archived'),
    ]) {
      prepare();
      expect(await refusalOf()).toMatchObject({
        advice: { retry: 'never' },
        unreachable: true,
        account: false,
      });
    }
    peer.channels.set(channel, 'open');
    peer.trouble('chat.postMessage', { kind: 'refused', error: 'not_in_channel' });
    expect(await refusalOf()).toMatchObject({
      message: 'Slack refused chat.postMessage: not_in_channel',
      advice: { retry: 'never' },
    });
  });

  test.each(['invalid_auth', 'account_inactive', 'token_revoked'])(
    '%s disables the account',
    async (error) => {
      peer.trouble('chat.postMessage', { kind: 'refused', error });
      expect(await refusalOf()).toMatchObject({ advice: { retry: 'never' }, account: true });
    },
  );

  test.each([
    { kind: 'garbled' },
    { kind: 'intercepted' },
    { kind: 'cut-before' },
    { kind: 'cut-after' },
    { kind: 'refused', error: 'internal_error' },
  ] as const)('$kind is retried later by the outbox only', async (trouble) => {
    peer.trouble('chat.postMessage', trouble);
    expect(await refusalOf()).toMatchObject({ advice: { retry: 'backoff' } });
    expect(peer.countOf('chat.postMessage')).toBe(1);
  });
});

describe('a message without a confirmation from Slack', () => {
  const since = new Date(Date.now() - 60_000);
  const direct = {
    lane: 'T0GARDEN1/D0ANA0001',
    address: { ...parseAddress(to), channel: 'D0ANA0001', thread: null },
  };

  test.each([
    ['in its thread', to],
    ['in a direct message', direct],
  ])('is found %s; another message with the same text is not', async (_, where) => {
    peer.channels.set('D0ANA0001', 'open');
    const sought = { ...part('Open until six.'), key: '12' };
    await deliver({ ...part('Open until six.'), key: '11' }, where, account, connectorTools());
    expect(await findSent({ part: sought, to: where, since }, account, connectorTools())).toEqual([]);
    peer.trouble('chat.postMessage', { kind: 'cut-after' });
    await expect(deliver(sought, where, account, connectorTools())).rejects.toThrow();
    const [, { channel: place, ts } = { channel: '', ts: '' }] = peer.messages;
    const found = await findSent({ part: sought, to: where, since }, account, connectorTools());
    expect(found).toEqual([{ messageId: `${place}/${ts}` }]);
    const another = { ...account, id: 'chan_another' };
    expect(await findSent({ part: sought, to: where, since }, another, connectorTools())).toEqual([]);
  });

  test('reports Slack’s error code if Slack refuses to search for it', async () => {
    peer.trouble('conversations.replies', { kind: 'refused', error: 'missing_scope' });
    const asking = findSent({ part: { ...part('Open.'), key: '12' }, to, since }, account, connectorTools());
    await expect(asking).rejects.toMatchObject({
      message: 'Slack refused conversations.replies: missing_scope',
      advice: { retry: 'never' },
    });
  });
});

describe('probe, status and prompts', () => {
  test('the probe returns the bot’s identity, and Slack’s error code for an unknown token', async () => {
    expect(await probe(account, connectorTools())).toEqual(account.profile);
    const wrong = { ...account, credentials: { ...account.credentials, bot_token: 'xoxb-wrong' } };
    await expect(probe(wrong, connectorTools())).rejects.toMatchObject({
      message: 'Slack refused auth.test: invalid_auth',
      account: true,
    });
  });

  test.each([
    [{ mode: 'socket' }, 'app_token'],
    [{ mode: 'events' }, 'signing_secret', { signing_secret: undefined, app_token: 'xapp-1' }],
  ])(
    'rejects a mode without its credential: %j requires %s',
    async (settings, needed, credentials: object = {}) => {
      const customAccount = slackAccount({
        settings: slackSettings(settings),
        credentials: { ...account.credentials, ...credentials },
      });
      await expect(probe(customAccount, connectorTools())).rejects.toThrow(needed);
    },
  );

  test('shows a status in the thread, and several in turn', async () => {
    await createTyping(account).show(to, connectorTools());
    const statuses = ['is searching…', 'is reading…'];
    const customAccount = slackAccount({ settings: slackSettings({ api_base_url: peer.url, statuses }) });
    await createTyping(customAccount).show(to, connectorTools());
    expect(peer.calls.map(({ params }) => params)).toEqual([
      { channel_id: channel, thread_ts: thread, status: 'is looking for the answer…' },
      {
        channel_id: channel,
        thread_ts: thread,
        status: 'is searching…',
        loading_messages: JSON.stringify(statuses),
      },
    ]);
  });

  test('shows nothing without a configured status', async () => {
    peer.trouble('assistant.threads.setStatus', { kind: 'refused', error: 'missing_scope' });
    await expect(createTyping(account).show(to, connectorTools())).resolves.toBeUndefined();
  });

  test('suggests prompts, in the thread if there is one', async () => {
    const prompts = [{ title: 'Hours', message: 'When are you open?' }];
    const customAccount = slackAccount({ settings: slackSettings({ api_base_url: peer.url, prompts }) });
    await welcome(to, customAccount, connectorTools());
    expect(peer.calls).toMatchObject([
      {
        method: 'assistant.threads.setSuggestedPrompts',
        params: { channel_id: channel, thread_ts: thread, prompts: JSON.stringify(prompts) },
      },
    ]);
  });
});

function failed(): never {
  throw new TypeError('nothing was sent');
}
