import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { normalise } from '../../../connectors/telegram/normalise.ts';
import { createWebhook } from '../../../connectors/telegram/webhook.ts';
import type { Json } from '../../../core/contract/account.ts';
import { peersFile } from '../../helpers/platforms/peers-file.ts';
import { telegramAccount } from '../../helpers/platforms/telegram/account.ts';
import { telegramFixture, telegramFixtures } from '../../helpers/platforms/telegram/fixture.ts';
import { faultOfType, telegramSpec } from '../../helpers/platforms/telegram/spec.ts';

const account = telegramAccount();
const eventOf = (name: string) => normalise(telegramFixture(name), account)[0];
const read = (native: Json) => {
  const request = {
    method: 'POST',
    path: '/',
    headers: {},
    query: {},
    body: Buffer.from(JSON.stringify(native)),
  };
  const reading = createWebhook(account).read(request);
  return reading.kind === 'deliveries' ? reading.deliveries[0] : null;
};

describe('a private chat', () => {
  test('a question addresses the bot, and has its sender, time and conversation', () => {
    expect(eventOf('private-question')).toEqual({
      type: 'message',
      conversation: { lane: '501', address: { chat: 501, kind: 'private', topic: null } },
      sentAt: new Date(1_790_000_000_000),
      sender: { id: '501', name: 'Ana Silva', email: null, phone: null, language: 'pt', kind: 'person' },
      messageId: '501/41',
      text: 'When are you open?',
      command: null,
      addressed: true,
      attachments: [],
    });
  });

  test.each([
    ['private-start-with-payload', 'start', 'from-poster_7'],
    ['private-human-with-words', 'human', 'my order is lost'],
    ['private-unknown-command', null, '/price roses'],
  ])('%s: the command is separated from the text', (name, command, text) => {
    expect(eventOf(name)).toMatchObject({ type: 'message', command, text });
  });

  test('a mention without text is the command start', () => {
    expect(eventOf('group-only-our-name')).toMatchObject({ addressed: true, text: '', command: 'start' });
  });

  test('an edit has the new text and its time', () => {
    expect(eventOf('private-edited')).toMatchObject({
      type: 'message-edited',
      messageId: '501/41',
      sentAt: new Date(1_790_000_030_000),
      text: 'When are you open on Sundays?',
    });
  });

  test.each([
    ['private-photo-of-album', 'image', null, 'image/jpeg', 180_000, 'large'],
    ['private-voice', 'audio', null, 'audio/ogg', 16_000, 'voice-1'],
    ['private-document', 'file', 'invoice.pdf', 'application/pdf', 52_000, 'doc-1'],
    ['private-animation', 'video', 'cat.mp4', 'video/mp4', 70_000, 'anim-1'],
    ['private-sticker', 'image', '👍', 'image/webp', 12_000, 'st-1'],
    ['private-venue', 'other', 'Garden shop', null, null, 'geo:38.72,-9.14'],
    ['private-contact-of-another', 'other', 'Rui', null, null, 'tel:+351911111111'],
  ])('%s has one attachment', (name, kind, title, contentType, bytes, reference) => {
    const attachments = [{ kind, name: title, contentType, bytes, reference }];
    expect(eventOf(name)).toMatchObject({ type: 'message', attachments });
  });

  test('a caption is the text of its message', () => {
    expect(eventOf('private-document')).toMatchObject({ text: 'Is this right?' });
    expect(eventOf('private-voice')).toMatchObject({ text: '' });
  });

  test("only the sender's own phone number counts as verified", () => {
    expect(eventOf('private-own-contact')).toMatchObject({ sender: { phone: '+351900000000' } });
    expect(eventOf('private-contact-of-another')).toMatchObject({ sender: { phone: null } });
  });

  test('a person who blocks the bot is unreachable until they unblock it', () => {
    const conversation = { lane: '501' };
    expect(eventOf('private-blocked')).toMatchObject({ type: 'reachable', conversation, reachable: false });
    expect(eventOf('private-unblocked')).toMatchObject({ type: 'reachable', conversation, reachable: true });
    expect(eventOf('group-removed')).toMatchObject({ conversation: { lane: '-4001' }, reachable: false });
  });
});

describe('a group', () => {
  test.each([
    ['group-mention', true, 'Is open today?'],
    ['group-text-mention', true, '🌱 is it open?'],
    ['group-reply-to-us', true, 'And on Sundays?'],
    ['group-unaddressed', false, 'Did anyone water the roses?'],
    ['group-mention-of-another', false, '@other_bot are you there?'],
    ['forum-topic-message', true, 'hello'],
    ['forum-topic-opened-by-us', false, 'hello everyone'],
    ['supergroup-chain-of-replies', false, 'thanks'],
  ])('%s: addressed is %s, and the text lacks the bot’s name', (name, addressed, text) => {
    expect(eventOf(name)).toMatchObject({ type: 'message', addressed, text, command: null });
  });

  test.each([
    ['group-command-for-us', true, 'help', ''],
    ['group-command-for-all', true, 'human', 'please'],
    ['group-command-for-another', false, null, '/help@other_bot'],
  ])('%s: addressed is %s', (name, addressed, command, text) => {
    expect(eventOf(name)).toMatchObject({ type: 'message', addressed, command, text });
  });

  test('other bots are machines, the bot is self, and an anonymous administrator is a person', () => {
    expect(eventOf('group-from-another-bot')).toMatchObject({ sender: { kind: 'machine' } });
    expect(eventOf('group-from-us')).toMatchObject({ sender: { kind: 'self' } });
    const sender = { id: '-1002001', name: 'Garden forum', kind: 'person' };
    expect(eventOf('group-from-anonymous-admin')).toMatchObject({ sender, addressed: true });
  });

  test('a topic is a separate conversation; the General topic and a chain of replies are not', () => {
    expect(eventOf('forum-topic-message')).toMatchObject({
      conversation: { lane: '-1002001:55', address: { chat: -1002001, kind: 'supergroup', topic: 55 } },
    });
    expect(eventOf('forum-general-message')).toMatchObject({
      conversation: { lane: '-1002001', address: { topic: 1 } },
    });
    expect(eventOf('supergroup-chain-of-replies')).toMatchObject({
      conversation: { lane: '-1003001', address: { topic: null } },
    });
  });

  test.each(['group-upgraded', 'group-upgraded-from'])(
    '%s: the conversation moves to the supergroup',
    (name) => {
      expect(eventOf(name)).toEqual({
        type: 'moved',
        from: { lane: '-4001', address: { chat: -4001, kind: 'group', topic: null } },
        to: { lane: '-1004001', address: { chat: -1004001, kind: 'supergroup', topic: null } },
      });
    },
  );

  test('without a known username, a mention does not address the bot', () => {
    const [event] = normalise(telegramFixture('group-mention'), telegramAccount({ profile: {} }));
    expect(event).toMatchObject({ addressed: false });
  });
});

test.each([
  ['channel-post', 'channel_post'],
  ['reaction', 'message_reaction'],
  ['group-member-joined', 'message.new_chat_members'],
  ['press-of-unknown-button', 'callback_query'],
  ['press-of-inline-message', 'callback_query'],
])('%s is unsupported, and its type is %s', (name, nativeType) => {
  expect(eventOf(name)).toEqual({ type: 'unsupported', nativeType });
});

describe('a button below an answer', () => {
  const ana = { id: '501', name: 'Ana Silva', kind: 'person', language: 'pt' };

  test.each([
    ['press-up', '501', 'up', '501/1001', ana],
    ['press-down', '501', 'down', '501/1001', ana],
    ['press-in-group', '-4001', 'down', '-4001/1002', { id: '502', kind: 'person' }],
    ['press-of-inaccessible-message', '501', 'up', '501/1001', ana],
  ])('%s is feedback on the message', (name, lane, value, messageId, sender) => {
    const conversation = { lane };
    expect(eventOf(name)).toMatchObject({
      type: 'feedback',
      conversation,
      messageId,
      sender,
      value,
      comment: null,
    });
  });

  test.each([
    ['press-human', '501'],
    ['press-in-topic', '-1002001:55'],
  ])('%s is the command human', (name, lane) => {
    const command = { command: 'human', text: '', addressed: true, sender: { kind: 'person' } };
    expect(eventOf(name)).toMatchObject({ type: 'message', conversation: { lane }, ...command });
  });

  test('every press, and no other update, requires an acknowledgement', () => {
    const waiting = telegramFixtures().filter((name) => read(telegramFixture(name))?.acknowledge);
    expect(waiting).toEqual(telegramFixtures().filter((name) => name.startsWith('press-')));
    expect(waiting.length).toBeGreaterThan(6);
  });
});

describe('a delivery', () => {
  test.each(telegramFixtures())('%s has the lane of its conversation', (name) => {
    const native = telegramFixture(name);
    const delivery = read(native);
    expect(delivery).toMatchObject({ id: String(native.update_id), native });
    const event = eventOf(name);
    if (event && 'conversation' in event) expect(delivery?.lane).toBe(event.conversation.lane);
  });

  test('only a picture of an album waits for other updates', () => {
    const waiting = telegramFixtures().filter((name) => read(telegramFixture(name))?.settleMs !== undefined);
    expect(waiting).toEqual(['private-photo-of-album']);
    expect(read(telegramFixture('private-photo-of-album'))?.settleMs).toBe(1_200);
  });
});

describe.skipIf(telegramSpec === null)(
  "Telegram's description of Update (skipped if PEERS_DIR is not set)",
  () => {
    test.each(telegramFixtures())('%s is an update', (name) => {
      expect(faultOfType('Update', telegramFixture(name))).toBeNull();
    });
  },
);

const recorded = peersFile('payloads/telegram/captured_updates.json');
const replayed = peersFile('payloads/telegram/replay_telegram.json');

describe.skipIf(recorded === null)('recorded updates (skipped if PEERS_DIR is not set)', () => {
  const fromFile = (path: string | null) => JSON.parse(readFileSync(path ?? '', 'utf8'));

  test('a photo', () => {
    for (const { update } of fromFile(recorded)) {
      expect(read(update)).toMatchObject({ id: '312744884', lane: '100000001' });
      const [event] = normalise(update, account);
      expect(event).toMatchObject({ type: 'message', attachments: [{ kind: 'image', bytes: 173_215 }] });
    }
  });

  test('a mention in a private chat and its follow-up', () => {
    const { botName, botUserId, mention, followUp } = fromFile(replayed);
    const other = telegramAccount({
      credentials: { bot_token: `${botUserId}:key` },
      profile: { id: Number(botUserId), username: botName },
    });
    expect(normalise(mention, other)[0]).toMatchObject({ type: 'message', text: 'hi', addressed: true });
    expect(normalise(followUp, other)[0]).toMatchObject({ type: 'message', text: 'how are you' });
    expect([read(mention), read(followUp)].map((delivery) => delivery?.lane)).toEqual(['7527593', '7527593']);
  });
});
