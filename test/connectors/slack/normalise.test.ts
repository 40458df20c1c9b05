import { describe, expect, test } from 'vitest';
import { normalise } from '../../../connectors/slack/normalise.ts';
import { toDelivery } from '../../../connectors/slack/webhook.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack-account.ts';
import { slackFixture, slackFixtures } from '../../helpers/platforms/slack-fixture.ts';

const account = slackAccount();
const of = (name: string) => normalise(slackFixture(name), account)[0];
const read = (name: string, whose = account) => toDelivery(slackFixture(name), whose);
const thread = 'T0GARDEN1/C0HELP001/1790000001.000101';

describe('what is said to us', () => {
  test('a mention is the question without our name, in the thread that it begins', () => {
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

  test('a mention and the message that it is are one delivery, whichever comes first', () => {
    const [mention, message] = [read('mention'), read('mention-as-message')];
    expect(of('mention-as-message')).toEqual(of('mention'));
    for (const each of [mention, message]) {
      expect(each).toMatchObject({ delivery: { id: thread, lane: thread } });
    }
  });

  test('a follow-up in a thread is for us where we take part in it', () => {
    expect(of('thread-follow-up')).toMatchObject({ addressed: 'joined', conversation: { lane: thread } });
    expect(of('thread-mention-of-us')).toMatchObject({
      addressed: true,
      text: 'Is it, open <today> & tomorrow?',
      conversation: { lane: 'T0GARDEN1/C0HELP001/1790000004.000104' },
    });
  });

  test('a follow-up may come before its mention, and waits for that; nothing else does', () => {
    const waiting = slackFixtures().filter((name) => {
      const told = read(name);
      return 'delivery' in told && told.delivery.settleIfFirstMs !== undefined;
    });
    expect(waiting).toEqual(['thread-follow-up']);
  });

  test('what is said to somebody else in a thread of ours is not', () => {
    expect(of('thread-to-somebody-else')).toMatchObject({ addressed: false });
  });

  test('people who speak with one another are not even stored', () => {
    for (const name of ['channel-chatter', 'group-direct-chatter', 'thread-to-somebody-else']) {
      expect(read(name)).toEqual({ because: 'message: people speak with one another' });
    }
  });

  test('in a group of people we are spoken to by name', () => {
    expect(of('group-direct-mention')).toMatchObject({ addressed: true, text: 'When are you open?' });
  });

  test('a direct message is one conversation, and each answer goes to the thread of its question', () => {
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

  test('where an operator wants it, each thread of a direct message is a conversation', () => {
    const whose = slackAccount({ settings: slackSettings({ direct_messages: 'threads' }) });
    expect(
      ['direct-question', 'direct-follow-up', 'direct-in-thread'].map((name) => read(name, whose)),
    ).toMatchObject([
      { delivery: { lane: 'T0GARDEN1/D0ANA0001/1790000010.000110' } },
      { delivery: { lane: 'T0GARDEN1/D0ANA0001/1790000011.000111' } },
      { delivery: { lane: 'T0GARDEN1/D0ANA0001/1790000010.000110' } },
    ]);
  });

  test('the marks that Slack puts around names and addresses are words', () => {
    expect(of('marks-of-slack')).toMatchObject({
      text: 'see the page (https://a.example/x?a=1&b=2) or https://b.example, ask @ben, #garden, @here, @gardeners, a@b.example',
    });
  });

  test('a table that was pasted belongs to the question', () => {
    expect(of('pasted-table')).toMatchObject({
      text: 'Which of these do you sell?\n\nPlant | Pots\nFern | 3',
    });
  });

  test('a message that is passed on is said, with its files', () => {
    expect(of('direct-forwarded')).toMatchObject({
      text: 'When are we open & who is in?',
      attachments: [{ name: 'sign.png', kind: 'image' }],
      command: null,
    });
  });

  test('who only names us is greeted', () => {
    expect(of('mention-of-nothing-else')).toMatchObject({ addressed: true, text: '', command: 'start' });
    expect(of('direct-files')).toMatchObject({ text: '', command: null });
  });

  test('files are named, not fetched', () => {
    expect(of('direct-files')).toMatchObject({
      text: '',
      attachments: [
        { kind: 'image', name: 'plant.png', contentType: 'image/png', bytes: 48213 },
        { kind: 'audio', name: 'note.m4a' },
        { kind: 'file', reference: expect.stringContaining('https://files.slack.com/') },
      ],
    });
  });

  test('where Slack did not say who we are, its events do', () => {
    const unknown = slackAccount({ profile: {} });
    expect(toDelivery(slackFixture('mention-as-message'), unknown)).toMatchObject({
      delivery: { id: thread },
    });
    expect(normalise(slackFixture('own-answer'), unknown)).toMatchObject([{ sender: { kind: 'self' } }]);
  });

  test('whose an event is, is asked where it may be another team’s only', () => {
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

  test('an organisation that installed the app as a whole has one tenant', () => {
    expect(read('mention-in-organisation')).toMatchObject({
      delivery: { tenant: 'E0GARDENS', lane: expect.stringMatching(/^E0GARDENS\//) },
    });
    expect(read('press-in-organisation')).toMatchObject({ delivery: { tenant: 'E0GARDENS' } });
  });
});

describe('what is said by no person', () => {
  test.each([
    ['own-answer', 'self'],
    ['other-bot', 'machine'],
    ['old-bot', 'machine'],
    ['system', 'machine'],
  ])('%s is never answered, nor stored', (name, kind) => {
    expect(of(name)).toMatchObject({ type: 'message', sender: { kind } });
    expect(read(name)).toEqual({ because: expect.stringContaining('a bot wrote it') });
  });

  test('an answer of ours that grows changes nothing', () => {
    expect(read('own-answer-growing')).toHaveProperty('because');
  });
});

describe('what happens beside questions', () => {
  test('an edit and a deletion are about the message as it was told', () => {
    const said = { conversation: { lane: thread }, messageId: 'C0HELP001/1790000002.000102' };
    expect(of('edited')).toMatchObject({ type: 'message-edited', ...said, text: 'And on Sunday?' });
    expect(of('deleted')).toMatchObject({ type: 'message-deleted', ...said });
    expect(of('deleted-with-replies')).toMatchObject({
      type: 'message-deleted',
      messageId: 'C0HELP001/1790000001.000101',
      sender: { kind: 'person' },
    });
  });

  test('the preview of a link is no edit', () => {
    expect(read('unfurled')).toEqual({ because: 'nothing is done about message.message_changed' });
  });

  test('a button for feedback tells which answer it is about, in either form', () => {
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

  test('a thumb is feedback too, and can be taken back', () => {
    const about = { type: 'feedback', messageId: 'C0HELP001/1790000030.000130' };
    expect(of('thumb-up')).toMatchObject({ ...about, value: 'up' });
    expect(of('thumb-back')).toMatchObject({ ...about, value: null });
    expect(read('thumb-for-somebody')).toEqual({ because: 'reaction_added: it is about somebody else' });
  });

  test('who presses for a person says so, in the conversation of the button', () => {
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

  test('who opens his direct messages is welcomed where there is something to suggest', () => {
    const prompts = [{ title: 'Hours', message: 'When are you open?' }];
    const whose = slackAccount({ settings: slackSettings({ prompts }) });
    expect(read('opened', whose)).toMatchObject({ delivery: { lane: 'T0GARDEN1/D0ANA0001' } });
    expect(normalise(slackFixture('assistant-opened'), whose)).toMatchObject([
      { type: 'opened', conversation: { address: { channel: 'D0ANA0001', thread: '1790000052.000152' } } },
    ]);
    expect(read('opened')).toEqual({ because: 'app_home_opened: there is nothing to suggest' });
    expect(read('opened-home', whose)).toHaveProperty('because');
  });

  test('the account is lost where the app or its token is, not where that of a person is', () => {
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
  ])('%s is none of our business, and named in the log', (name, nativeType) => {
    expect(of(name)).toEqual({ type: 'unsupported', nativeType });
    expect(read(name)).toEqual({ because: `nothing is done about ${nativeType}` });
  });

  test('nothing is told twice under one id but what is the same', () => {
    const whose = slackAccount({ settings: slackSettings({ prompts: [{ title: 'a', message: 'b' }] }) });
    const ids = slackFixtures().flatMap((name) => {
      const each = read(name, whose);
      return 'delivery' in each && name !== 'mention-as-message' ? [each.delivery.id] : [];
    });
    expect(new Set(ids).size).toBe(ids.length);
  });
});
