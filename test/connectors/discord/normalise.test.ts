import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toDelivery } from '../../../connectors/discord/deliveries.ts';
import { interactionResponse } from '../../../connectors/discord/interactions.ts';
import { normalise } from '../../../connectors/discord/normalise.ts';
import { createWebhook } from '../../../connectors/discord/webhook.ts';
import type { Json } from '../../../core/contract/account.ts';
import { discordFixture } from '../../helpers/platforms/discord/fixture.ts';
import { peersFile } from '../../helpers/platforms/peers-file.ts';
import { fixtureAccount as account, postedByDiscord } from './contract-hooks.ts';

const eventOf = (name: string, settings = {}) =>
  normalise(discordFixture(name), { ...account, settings: { ...account.settings, ...settings } })[0];
const text = '910000000000000001';
const thread = '920000000000000001';
const direct = '930000000000000001';
const ana = '500000000000000001';

describe('a server', () => {
  test('a question in a text channel addresses the bot and is answered in a new thread', () => {
    expect(eventOf('text-mention')).toEqual({
      type: 'message',
      conversation: {
        lane: '1350000000000000001',
        address: {
          kind: 'question',
          channel: text,
          message: '1350000000000000001',
          user: ana,
          title: 'when are you open?',
          interaction: null,
        },
      },
      sentAt: new Date('2026-11-21T09:00:00Z'),
      sender: { id: ana, name: 'Ana Silva', email: null, phone: null, language: null, kind: 'person' },
      messageId: `${text}/1350000000000000001`,
      text: 'when are you open?',
      command: null,
      addressed: true,
      attachments: [],
    });
  });

  test('without threads the conversation belongs to one person', () => {
    const lane = `${text}:${ana}`;
    expect(eventOf('text-mention', { threads: false })).toMatchObject({ conversation: { lane } });
    const [event] = normalise({ ...discordFixture('text-mention'), threadless: true }, account);
    expect(event).toMatchObject({ conversation: { lane, address: { kind: 'channel' } } });
    expect(eventOf('voice-mention')).toMatchObject({ conversation: { lane: `910000000000000002:${ana}` } });
  });

  test.each([
    ['text-mention', true, 'when are you open?'],
    ['text-unaddressed', false, 'did anyone water the roses?'],
    ['text-reply-to-us', true, 'and on Sundays?'],
    ['text-mentions-others', true, 'what did @Rui say?'],
    ['text-role-mention', true, 'still there?'],
    ['thread-follow-up', 'joined', 'and on Sundays?'],
    ['forum-post', true, 'My greenhouse leaks\nit is raining in'],
  ])('%s: addressed is %s, and the text lacks the bot’s name', (name, addressed, words) => {
    expect(eventOf(name)).toMatchObject({ type: 'message', addressed, text: words, command: null });
  });

  test('a mention without text is the command start', () => {
    expect(eventOf('text-only-our-name')).toMatchObject({ addressed: true, text: '', command: 'start' });
  });

  test('a thread and a forum post are separate conversations', () => {
    expect(eventOf('thread-follow-up')).toMatchObject({ conversation: { lane: thread } });
    expect(eventOf('forum-post')).toMatchObject({
      conversation: { lane: '940000000000000001', address: { kind: 'thread' } },
    });
  });

  test('a message with withheld content is unsupported', () => {
    expect(eventOf('thread-without-content')).toMatchObject({ type: 'unsupported' });
  });

  test.each([
    ['text-from-us', 'self'],
    ['text-from-another-bot', 'machine'],
    ['text-from-webhook', 'machine'],
  ])('%s has a sender of the kind %s', (name, kind) => {
    expect(eventOf(name)).toMatchObject({ sender: { kind } });
  });

  test('an edit has the new text and its time; a resolved link is not an edit', () => {
    expect(eventOf('text-edited')).toMatchObject({
      type: 'message-edited',
      conversation: { lane: '1350000000000000001' },
      messageId: `${text}/1350000000000000001`,
      sentAt: new Date('2026-11-21T09:00:30Z'),
      text: 'when are you open on Sundays?',
    });
    expect(eventOf('text-links-resolved')).toMatchObject({ type: 'unsupported' });
  });

  test('a deletion names the message and its conversation', () => {
    const at = { kind: 'channel', channel: text, user: ana, message: null, interaction: null };
    const [event] = normalise({ ...discordFixture('text-deleted'), at }, account);
    expect(event).toMatchObject({
      type: 'message-deleted',
      messageId: `${text}/1350000000000000001`,
      conversation: { lane: `${text}:${ana}` },
    });
  });

  test.each(['member-joined', 'reaction', 'command-of-another', 'press-of-another'])(
    '%s is unsupported',
    (name) =>
      expect(eventOf(name)).toMatchObject({ type: 'unsupported', nativeType: expect.stringMatching(/./) }),
  );

  test('the thread title is the first line of the question within Discord’s limit', () => {
    const fixture = discordFixture('text-mention');
    const words = `${'word '.repeat(30)}\nsecond line`;
    const [event] = normalise({ ...fixture, d: { ...Object(fixture.d), content: words } }, account);
    const title = z
      .object({ conversation: z.object({ address: z.object({ title: z.string() }) }) })
      .parse(event).conversation.address.title;
    expect(title).toBe(`${'word '.repeat(19).trim()}…`);
    expect(title.length).toBeLessThanOrEqual(100);
  });
});

describe('a direct conversation', () => {
  test('every message addresses the bot', () => {
    expect(eventOf('direct-question')).toMatchObject({
      addressed: true,
      text: 'When are you open?',
      conversation: { lane: direct, address: { kind: 'direct', channel: direct } },
    });
  });

  test.each([
    ['direct-picture', 'image', 'rose.jpg', 'image/jpeg', 180_000],
    ['direct-voice', 'audio', 'voice-message.ogg', 'audio/ogg', 16_000],
    ['direct-sticker', 'image', 'Wave', null, null],
  ])('%s has one attachment', (name, kind, title, contentType, bytes) => {
    const attachments = [{ kind, name: title, contentType, bytes, reference: expect.stringMatching(/./) }];
    expect(eventOf(name)).toMatchObject({ type: 'message', text: '', attachments, command: null });
  });

  test('a forwarded message is part of the text, with its files', () => {
    expect(eventOf('direct-forwarded')).toMatchObject({
      text: expect.stringMatching(/^The shop is closed on .* Is that so\?$/),
      attachments: [{ kind: 'image', name: 'sign.jpg', contentType: 'image/jpeg' }],
    });
  });

  test('a poll is a message without text and without a command', () => {
    expect(eventOf('direct-poll')).toMatchObject({
      type: 'message',
      addressed: true,
      text: '',
      command: null,
    });
  });
});

describe('commands and buttons', () => {
  test('/ask stands alone, with its token and the language of the client', () => {
    expect(eventOf('command-ask')).toMatchObject({
      type: 'message',
      text: 'When are you open?',
      addressed: true,
      command: null,
      standsAlone: true,
      sender: { id: ana, language: 'pt', kind: 'person' },
      conversation: {
        lane: `${text}:${ana}`,
        address: { kind: 'channel', interaction: { token: 'aW50ZXJhY3Rpb246dG9rZW4' } },
      },
    });
  });

  test.each([
    ['command-human', thread, ''],
    ['command-human-with-words', direct, 'my order is lost'],
  ])('%s is the command human in the conversation where it is used', (name, lane, words) => {
    expect(eventOf(name)).toMatchObject({ command: 'human', text: words, conversation: { lane } });
  });

  test.each([
    ['press-up', 'up', `${text}/1350000000000000500`],
    ['press-down-in-thread', 'down', `${thread}/1350000000000000500`],
  ])('%s is feedback on the answer', (name, value, messageId) => {
    expect(eventOf(name)).toMatchObject({ type: 'feedback', value, messageId, comment: null });
  });

  test('the button for a person applies to the conversation of the person who presses it', () => {
    expect(eventOf('press-human')).toMatchObject({
      command: 'human',
      conversation: { lane: `${text}:${ana}`, address: { interaction: null } },
    });
    expect(eventOf('press-human-of-another')).toMatchObject({ conversation: { lane: `${text}:${ana}` } });
  });
});

describe('private answers', () => {
  const settings = { ...account.settings, private_answers: true };
  const [privateAccount, open] = [{ ...account, settings }, account];

  test.each([
    ['command-ask', text],
    ['command-human', thread],
  ])('%s is answered privately, in a separate conversation', (name, channel) => {
    const native = discordFixture(name);
    expect(interactionResponse(native, privateAccount)).toEqual({ type: 5, data: { flags: 64 } });
    expect(interactionResponse(native, open)).toEqual({ type: 5 });
    expect(normalise(native, privateAccount)).toMatchObject([
      {
        conversation: {
          lane: `${channel}:${ana}`,
          address: { kind: 'channel', interaction: { isPrivate: true } },
        },
      },
    ]);
  });

  test('a press below a private answer continues the private conversation', () => {
    const message = { id: '1350000000000000500', flags: 68 };
    const native = { ...discordFixture('press-human'), message };
    expect(normalise(native, open)).toMatchObject([
      { conversation: { address: { interaction: { isPrivate: true, isUsed: true } } } },
    ]);
  });

  test('a direct conversation needs no private answers', () => {
    expect(interactionResponse(discordFixture('command-human-with-words'), privateAccount)).toEqual({
      type: 5,
    });
  });
});

describe('deliveries', () => {
  const stored = (name: string, known = new Map<string, Json>()) =>
    toDelivery(discordFixture(name), account, known);

  test('a message to the bot is stored, with the memory that the bot takes part', () => {
    expect(stored('text-mention')).toMatchObject({
      id: 'message:1350000000000000001',
      lane: '1350000000000000001',
      tenant: '900000000000000001',
      remember: [{ key: 'lane:1350000000000000001' }],
    });
    expect(stored('direct-question')).not.toHaveProperty('tenant');
  });

  test('a message between people is stored only if the bot takes part', () => {
    expect(stored('text-unaddressed')).toBeNull();
    expect(stored('thread-follow-up')).toBeNull();
    expect(stored('text-deleted')).toBeNull();
    expect(stored('thread-follow-up', new Map([[`lane:${thread}`, {}]]))).toMatchObject({ lane: thread });
    expect(stored('text-deleted', new Map([['lane:1350000000000000001', {}]]))).not.toBeNull();
  });

  test('a message of a machine or of the bot is not stored, except the memory that no thread can be created', () => {
    expect(stored('text-from-another-bot')).toBeNull();
    expect(stored('text-from-us')).toMatchObject({
      lane: 'others',
      remember: [{ key: `threadless:${text}` }],
    });
  });
});

describe('posted interactions', () => {
  const read = (native: Json) => createWebhook(account).read(postedByDiscord(JSON.stringify(native)));

  test('a PING is answered with a PONG', () => {
    const ping = { id: '1350000000000200001', application_id: '700000000000000001', type: 1, token: 't' };
    expect(read(ping)).toMatchObject({ kind: 'handshake', respond: { status: 200, body: '{"type":1}' } });
  });

  test.each([
    ['command-ask', 5],
    ['command-human', 5],
    ['press-up', 6],
    ['press-human', 6],
  ])('%s is acknowledged with type %i, and answered later', (name, type) => {
    expect(read(discordFixture(name))).toMatchObject({
      kind: 'deliveries',
      deliveries: [{ id: expect.stringMatching(/^interaction:\d+$/) }],
      respond: { contentType: 'application/json', body: JSON.stringify({ type }) },
    });
  });

  test.each(['command-of-another', 'press-of-another'])('%s is ignored', (name) => {
    expect(read(discordFixture(name))).toMatchObject({ kind: 'ignored', respond: { status: 200 } });
  });
});

const file = peersFile('payloads/discord/replay_discord.json');
const other = peersFile('payloads/discord/replay_channel_discord.json');

describe.skipIf(file === null || other === null)(
  'recorded payloads (skipped if PEERS_DIR is not set)',
  () => {
    const recorded = z.record(z.string(), z.json());
    const from = (path: string | null) =>
      path === null ? {} : recorded.parse(JSON.parse(readFileSync(path, 'utf8')));
    const events = { ...from(other), ...from(file) };
    const bot = '1457469483726668048';
    const recordedAccount = { ...account, profile: { ...account.profile, id: bot } };
    /** Removes the wrapper that the recording tool added to gateway events. */
    const native = (name: string): Json => {
      const wrapped = z
        .object({ type: z.string().startsWith('GATEWAY_'), data: z.json() })
        .safeParse(events[name]);
      if (!wrapped.success) return events[name] ?? null;
      return { t: wrapped.data.type.replace('GATEWAY_', ''), d: wrapped.data.data };
    };

    test.each([
      ['gatewayMention', 'Hey', '1457536551830421524'],
      ['gatewayAIMention', 'AI What is love', '1457536647464747051'],
      ['mention', 'Test', '1473118766652199044'],
    ])('%s is a question with the recorded thread id as its lane', (name, words, lane) => {
      expect(normalise(native(name), recordedAccount)).toMatchObject([
        { type: 'message', text: words, addressed: true, conversation: { lane } },
      ]);
    });

    test('a mention of the bot’s role addresses the bot', () => {
      const eventOf = { ...Object(native('gatewayRoleMention')), role: '1457473602180878604' };
      expect(normalise(eventOf, recordedAccount)).toMatchObject([
        { addressed: true, text: 'AI Still there?' },
      ]);
    });

    test.each(['gatewaySubscribedMessage', 'gatewayDMRequest', 'gatewayThreadUserHey', 'gatewayThreadNice'])(
      '%s is in a joined thread',
      (name) => {
        expect(normalise(native(name), recordedAccount)).toMatchObject([
          { addressed: 'joined', sender: { kind: 'person' }, conversation: { lane: '1457536551830421524' } },
        ]);
      },
    );

    test.each(['gatewayBotWelcome', 'gatewayThreadWelcome'])('%s is from the bot itself', (name) => {
      expect(normalise(native(name), recordedAccount)).toMatchObject([{ sender: { kind: 'self' } }]);
    });

    test.each(['gatewayReactionAdd', 'gatewayThreadCreate'])('%s is unsupported', (name) => {
      expect(normalise(native(name), recordedAccount)).toMatchObject([{ type: 'unsupported' }]);
    });

    test('every recorded press passes the signature check and is parsed with this connector’s button ids', () => {
      const presses = Object.keys(events).filter((name) => /^button|_action$|^differentUser$/.test(name));
      expect(presses.length).toBeGreaterThan(4);
      for (const name of presses) {
        const press = Object(events[name]);
        // Some recordings have a made-up id.
        const id = /^\d+$/.test(press.id) ? press.id : '1457536583141163999';
        const message = { ...press.message, id: /^\d+$/.test(press.message.id) ? press.message.id : id };
        const body = {
          ...press,
          id,
          message,
          data: { ...press.data, custom_id: `parley:up:${press.channel_id}` },
        };
        const request = postedByDiscord(JSON.stringify(body));
        expect(createWebhook(account).verify(request, new Date())).toBe(true);
        expect(createWebhook(recordedAccount).read(request)).toMatchObject({ kind: 'deliveries' });
        expect(normalise(body, recordedAccount)).toMatchObject([{ type: 'feedback', value: 'up' }]);
      }
    });
  },
);
