import { describe, expect, test } from 'vitest';
import { normalise } from '../../../connectors/slack/normalise.ts';
import { toDelivery } from '../../../connectors/slack/webhook.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack/account.ts';
import { slackFixture, slackFixtures } from '../../helpers/platforms/slack/fixture.ts';

const account = slackAccount();
const of = (name: string) => normalise(slackFixture(name), account)[0];
const read = (name: string, customAccount = account) => toDelivery(slackFixture(name), customAccount);
const thread = 'T0GARDEN1/C0HELP001/1790000001.000101';

describe('messages to the bot', () => {
  test('a mention becomes a question without the bot’s name, in the thread that it begins', () => {
    expect(of('mention')).toEqual({
      type: 'message',
      conversation: {
        lane: thread,
        address: {
          tenant: 'T0GARDEN1',
          team: 'T0GARDEN1',
          channel: 'C0HELP001',
          thread: '1790000001.000101',
          user: 'U0ANA0001',
          userTeam: 'T0GARDEN1',
        },
      },
      sentAt: new Date(1_790_000_001_000),
      sender: { id: 'U0ANA0001', name: null, email: null, phone: null, language: null, kind: 'person' },
      messageId: 'C0HELP001/1790000001.000101',
      text: 'When are you open?',
      attachments: [],
      addressed: true,
      command: null,
    });
  });

  test('app_mention and message events of one message have the same delivery id', () => {
    const [mention, message] = [read('mention'), read('mention-as-message')];
    expect(of('mention-as-message')).toEqual(of('mention'));
    for (const each of [mention, message]) {
      expect(each).toMatchObject({ delivery: { id: thread, lane: thread } });
    }
  });

  test('a follow-up addresses the bot if the bot takes part in the thread', () => {
    expect(of('thread-follow-up')).toMatchObject({ addressed: 'joined', conversation: { lane: thread } });
    expect(of('thread-mention-of-us')).toMatchObject({
      addressed: true,
      text: 'Is it, open <today> & tomorrow?',
      conversation: { lane: 'T0GARDEN1/C0HELP001/1790000004.000104' },
    });
  });

  test('only a follow-up waits for a mention that may arrive later', () => {
    const waiting = slackFixtures().filter((name) => {
      const told = read(name);
      return 'delivery' in told && told.delivery.settleIfFirstMs !== undefined;
    });
    expect(waiting).toEqual(['thread-follow-up']);
  });

  test('a reply that begins with a mention of somebody else does not address the bot', () => {
    expect(of('thread-to-somebody-else')).toMatchObject({ addressed: false });
  });

  test('messages between people are not stored', () => {
    for (const name of ['channel-chatter', 'group-direct-chatter', 'thread-to-somebody-else']) {
      expect(read(name)).toEqual({ because: 'message: the message does not address the bot' });
    }
  });

  test('a group message addresses the bot only by mention', () => {
    expect(of('group-direct-mention')).toMatchObject({ addressed: true, text: 'When are you open?' });
  });

  test('a direct message is one conversation, and each answer goes into the thread of its question', () => {
    const events = ['direct-question', 'direct-follow-up', 'direct-in-thread'].map(of);
    expect(events).toMatchObject([
      {
        addressed: true,
        conversation: { lane: 'T0GARDEN1/D0ANA0001', address: { thread: '1790000010.000110' } },
      },
      {
        addressed: true,
        conversation: { lane: 'T0GARDEN1/D0ANA0001', address: { thread: '1790000011.000111' } },
      },
      {
        addressed: true,
        conversation: { lane: 'T0GARDEN1/D0ANA0001', address: { thread: '1790000010.000110' } },
      },
    ]);
  });

  test('with direct_messages "threads" each thread of a direct message is a conversation', () => {
    const customAccount = slackAccount({ settings: slackSettings({ direct_messages: 'threads' }) });
    expect(
      ['direct-question', 'direct-follow-up', 'direct-in-thread'].map((name) => read(name, customAccount)),
    ).toMatchObject([
      { delivery: { lane: 'T0GARDEN1/D0ANA0001/1790000010.000110' } },
      { delivery: { lane: 'T0GARDEN1/D0ANA0001/1790000011.000111' } },
      { delivery: { lane: 'T0GARDEN1/D0ANA0001/1790000010.000110' } },
    ]);
  });

  test('markup of mentions, channels and links becomes plain text', () => {
    expect(of('marks-of-slack')).toMatchObject({
      text: 'see the page (https://a.example/x?a=1&b=2) or https://b.example, ask @ben, #garden, @here, @gardeners, a@b.example',
    });
  });

  test('a pasted table is part of the question', () => {
    expect(of('pasted-table')).toMatchObject({
      text: 'Which of these do you sell?\n\nPlant | Pots\nFern | 3',
    });
  });

  test('a forwarded message is part of the text, with its files', () => {
    expect(of('direct-forwarded')).toMatchObject({
      text: 'When are we open & who is in?',
      attachments: [{ name: 'sign.png', kind: 'image' }],
      command: null,
    });
  });

  test('a mention without text is the command start', () => {
    expect(of('mention-of-nothing-else')).toMatchObject({ addressed: true, text: '', command: 'start' });
    expect(of('direct-files')).toMatchObject({ text: '', command: null });
  });

  test('files are referenced, not downloaded', () => {
    expect(of('direct-files')).toMatchObject({
      text: '',
      attachments: [
        { kind: 'image', name: 'plant.png', contentType: 'image/png', bytes: 48213 },
        { kind: 'audio', name: 'note.m4a' },
        { kind: 'file', reference: expect.stringContaining('https://files.slack.com/') },
      ],
    });
  });

  test('without a stored profile, the event’s authorizations identify the bot', () => {
    const unknown = slackAccount({ profile: {} });
    expect(toDelivery(slackFixture('mention-as-message'), unknown)).toMatchObject({
      delivery: { id: thread },
    });
    expect(normalise(slackFixture('own-answer'), unknown)).toMatchObject([{ sender: { kind: 'self' } }]);
  });

  test('a delivery names its tenant only if it may belong to another team', () => {
    const { credentials, profile } = account;
    const tenantOf = (changes: Parameters<typeof slackAccount>[0]) => read('mention', slackAccount(changes));
    expect(tenantOf({})).not.toHaveProperty('delivery.tenant');
    const others = { delivery: { tenant: 'T0GARDEN1' } };
    expect(tenantOf({ credentials: { ...credentials, client_id: '1', client_secret: 'x' } })).toMatchObject(
      others,
    );
    expect(tenantOf({ profile: { ...profile, team_id: 'T0OTHERS1' } })).toMatchObject(others);
    expect(tenantOf({ profile: {} })).toMatchObject(others);
  });

  test('an organisation-wide installation has one tenant', () => {
    expect(read('mention-in-organisation')).toMatchObject({
      delivery: { tenant: 'E0GARDENS', lane: expect.stringMatching(/^E0GARDENS\//) },
    });
    expect(read('press-in-organisation')).toMatchObject({ delivery: { tenant: 'E0GARDENS' } });
  });
});

describe('messages of bots', () => {
  test.each([
    ['own-answer', 'self'],
    ['other-bot', 'machine'],
    ['old-bot', 'machine'],
    ['system', 'machine'],
  ])('%s is neither answered nor stored', (name, kind) => {
    expect(of(name)).toMatchObject({ type: 'message', sender: { kind } });
    expect(read(name)).toEqual({ because: expect.stringContaining('the author is a bot') });
  });

  test('an edit of the bot’s own draft is ignored', () => {
    expect(read('own-answer-growing')).toHaveProperty('because');
  });
});

describe('other events', () => {
  test('an edit and a deletion have the id of the original message', () => {
    const said = { conversation: { lane: thread }, messageId: 'C0HELP001/1790000002.000102' };
    expect(of('edited')).toMatchObject({ type: 'message-edited', ...said, text: 'And on Sunday?' });
    expect(of('deleted')).toMatchObject({ type: 'message-deleted', ...said });
    expect(of('deleted-with-replies')).toMatchObject({
      type: 'message-deleted',
      messageId: 'C0HELP001/1790000001.000101',
      sender: { kind: 'person' },
    });
  });

  test('an added link preview is not an edit', () => {
    expect(read('unfurled')).toEqual({ because: 'unsupported type message.message_changed' });
  });

  test('both kinds of feedback button name the answer', () => {
    const about = {
      type: 'feedback',
      messageId: 'C0HELP001/1790000030.000130',
      conversation: { lane: thread },
    };
    expect(of('press-up')).toMatchObject({
      ...about,
      value: 'up',
      sender: { id: 'U0ANA0001', name: 'Ana Green' },
    });
    expect(of('press-down-plain')).toMatchObject({ ...about, value: 'down' });
  });

  test('a thumb reaction is feedback, and can be withdrawn', () => {
    const about = { type: 'feedback', messageId: 'C0HELP001/1790000030.000130' };
    expect(of('thumb-up')).toMatchObject({ ...about, value: 'up' });
    expect(of('thumb-back')).toMatchObject({ ...about, value: null });
    expect(read('thumb-for-somebody')).toEqual({
      because: 'reaction_added: the reaction is on a message of another author',
    });
  });

  test('the button for a person is the command human in the button’s conversation', () => {
    expect(of('press-person')).toMatchObject({
      type: 'message',
      command: 'human',
      addressed: true,
      conversation: { lane: thread },
    });
    expect(of('press-direct')).toMatchObject({
      command: 'human',
      conversation: { lane: 'T0GARDEN1/D0ANA0001' },
    });
  });

  test('opening a direct message is an event only if prompts are configured', () => {
    const prompts = [{ title: 'Hours', message: 'When are you open?' }];
    const customAccount = slackAccount({ settings: slackSettings({ prompts }) });
    expect(read('opened', customAccount)).toMatchObject({ delivery: { lane: 'T0GARDEN1/D0ANA0001' } });
    expect(normalise(slackFixture('assistant-opened'), customAccount)).toMatchObject([
      { type: 'opened', conversation: { address: { channel: 'D0ANA0001', thread: '1790000052.000152' } } },
    ]);
    expect(read('opened')).toEqual({ because: 'app_home_opened: no prompts are configured' });
    expect(read('opened-home', customAccount)).toHaveProperty('because');
  });

  test('removal of the app or its bot token loses the account; a revoked user token does not', () => {
    expect(of('uninstalled')).toMatchObject({ type: 'account-lost' });
    expect(read('token-revoked')).toMatchObject({ delivery: { lane: 'T0GARDEN1/account' } });
    expect(of('token-of-a-person-revoked')).toEqual({ type: 'unsupported', nativeType: 'tokens_revoked' });
  });

  test.each([
    ['pin', 'pin_added'],
    ['channel-join', 'message.channel_join'],
    ['press-of-others', 'block_actions'],
    ['command', '/ask'],
    ['held-back', 'app_rate_limited'],
  ])('%s is ignored, and its type is logged', (name, nativeType) => {
    expect(of(name)).toEqual({ type: 'unsupported', nativeType });
    expect(read(name)).toEqual({ because: `unsupported type ${nativeType}` });
  });

  test('different events never share a delivery id', () => {
    const customAccount = slackAccount({
      settings: slackSettings({ prompts: [{ title: 'a', message: 'b' }] }),
    });
    const ids = slackFixtures().flatMap((name) => {
      const each = read(name, customAccount);
      return 'delivery' in each && name !== 'mention-as-message' ? [each.delivery.id] : [];
    });
    expect(new Set(ids).size).toBe(ids.length);
  });
});
