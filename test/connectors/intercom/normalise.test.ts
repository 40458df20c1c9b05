import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { normalise } from '../../../connectors/intercom/normalise.ts';
import { createWebhook } from '../../../connectors/intercom/webhook.ts';
import type { Json } from '../../../core/contract/account.ts';
import { intercomAccount } from '../../helpers/platforms/intercom/account.ts';
import { intercomFixture, intercomFixtures } from '../../helpers/platforms/intercom/fixture.ts';
import { faultOfIntercom, intercomSpec } from '../../helpers/platforms/intercom/spec.ts';
import { peersFile } from '../../helpers/platforms/peers-file.ts';

const account = intercomAccount();
const read = (native: Json, by = account) => {
  const body = Buffer.from(JSON.stringify(native));
  return createWebhook(by).read({ method: 'POST', path: '/', headers: {}, query: {}, body });
};
const deliveriesOf = (native: Json, by = account) => {
  const reading = read(native, by);
  return reading.kind === 'deliveries' ? reading.deliveries : [];
};
/** Returns the events of a notification after it is read and stored. */
const eventsOf = (name: string, by = account) =>
  deliveriesOf(intercomFixture(name), by).flatMap(({ native }) => normalise(native, by));
const conversation = { lane: '215400000000001', address: { conversation: '215400000000001' } };

describe('a contact', () => {
  test('begins a conversation with a message that addresses the bot, and has its sender, time and conversation', () => {
    expect(eventsOf('user-created')).toEqual([
      {
        type: 'message',
        conversation,
        sentAt: new Date(1_790_000_000_000),
        sender: {
          id: '65f1a2b3c4d5e6f7a8b9c0d1',
          name: 'Ana Silva',
          email: null,
          phone: null,
          language: null,
          kind: 'person',
        },
        messageId: '215400000000001/source',
        text: 'When are you open?',
        command: null,
        addressed: true,
        attachments: [],
      },
    ]);
  });

  test.each([
    ['lead-created', 'Do you deliver to Porto?\n\nAnd on Sundays?'],
    [
      'user-created-by-email',
      'Roses & more\n\nHello,\n\nare the roses (https://garden.example/roses?a=1&b=2) in stock?',
    ],
    ['user-created-answering-us', 'Is it for roses too?'],
    ['user-replied', 'And on Sundays?'],
  ])('%s: the text is the readable content', (name, text) => {
    expect(eventsOf(name)).toMatchObject([{ type: 'message', text, sender: { kind: 'person' } }]);
  });

  test('a conversation without text is not answered', () => {
    expect(deliveriesOf(changed('user-created', '<p>When are you open?</p>', ''))).toEqual([]);
  });

  test('a reply has the id and time of its part', () => {
    expect(eventsOf('user-replied')).toMatchObject([
      { messageId: '215400000000001/9002', sentAt: new Date(1_790_000_060_000) },
    ]);
  });

  test('a file and a picture in the text become attachments', () => {
    expect(eventsOf('user-replied-with-file')).toMatchObject([
      {
        text: '',
        attachments: [
          {
            kind: 'file',
            name: 'invoice.pdf',
            contentType: 'application/pdf',
            bytes: 52_000,
            reference: '215400000000001/9003 https://downloads.intercomcdn.com/i/o/2/invoice.pdf',
          },
        ],
      },
    ]);
    const reference =
      '215400000000004/source https://downloads.intercomcdn.com/i/o/1/leaf.jpg?expires=1790000900&signature=ab';
    expect(eventsOf('user-created-with-picture')).toMatchObject([
      { text: 'What is this?', attachments: [{ kind: 'image', reference }] },
    ]);
  });

  test.each([
    ['user-replied-by-button', 'Talk to a person'],
    ['user-replied-by-words-of-button', 'Talk to a person'],
    ['user-replied-with-command', 'my order is lost'],
  ])('%s is the command human', (name, text) => {
    expect(eventsOf(name)).toMatchObject([{ type: 'message', command: 'human', text }]);
  });

  test('the button that an answer helped rates the last answer', () => {
    const native = changed(
      'user-replied-by-words-of-button',
      '<p>Talk to a person</p>',
      '<p>That helped</p>',
    );
    const events = deliveriesOf(native).flatMap((one) => normalise(one.native, account));
    expect(events).toMatchObject([{ type: 'feedback', value: 'up', messageId: null }]);
  });

  test('the button’s label in any language, or the configured one, is the command human', () => {
    const said = (body: string, settings = account.settings) => {
      const native = changed('user-replied-by-words-of-button', '<p>Talk to a person</p>', `<p>${body}</p>`);
      return deliveriesOf(native).flatMap((one) => normalise(one.native, { ...account, settings }));
    };
    expect(said('Mit einem Menschen sprechen')).toMatchObject([{ command: 'human' }]);
    const own = { ...account.settings, person_button: 'Get Andy' };
    expect(said('Get Andy', own)).toMatchObject([{ command: 'human' }]);
    expect(said('Get Andy')).toMatchObject([{ command: null }]);
  });

  test('an email address counts only for users of a workspace with identity verification', () => {
    const proving = intercomAccount({ profile: { ...account.profile, identity_verification: true } });
    expect(eventsOf('user-created', proving)).toMatchObject([{ sender: { email: 'ana@customer.example' } }]);
    expect(eventsOf('lead-created', proving)).toMatchObject([{ sender: { email: null, name: 'Bea' } }]);
  });

  test('a redacted part is a deleted message', () => {
    expect(eventsOf('part-redacted')).toMatchObject([
      { type: 'message-deleted', messageId: '215400000000001/9002', sender: { kind: 'person' } },
    ]);
  });

  test('a deleted conversation is unreachable', () => {
    expect(eventsOf('deleted')).toEqual([{ type: 'reachable', conversation, reachable: false }]);
  });
});

describe('the team in Intercom', () => {
  test('the bot’s own answers and buttons have the sender self', () => {
    expect(eventsOf('admin-replied-by-us')).toMatchObject([{ type: 'message', sender: { kind: 'self' } }]);
    expect(eventsOf('admin-replied-by-us-buttons')).toEqual([]);
  });

  test('a teammate who answers claims the conversation', () => {
    expect(eventsOf('admin-replied')).toEqual([
      {
        type: 'person-replied',
        conversation,
        sentAt: new Date(1_790_000_060_000),
        sender: {
          id: '7002',
          name: 'Andy Moss',
          email: 'andy@garden.example',
          phone: null,
          language: null,
          kind: 'person',
        },
        messageId: '215400000000001/9012',
        text: 'Hello Ana, Andy here.',
      },
    ]);
    expect(eventsOf('admin-single-created')).toMatchObject([
      { type: 'person-replied', text: 'Your order is ready.' },
    ]);
  });

  test('a reply that closes is two events, with the same ids in every notification', () => {
    expect(eventsOf('admin-replied-and-closed')).toMatchObject([
      { type: 'person-replied', text: 'Glad to help!' },
      { type: 'status-changed', status: 'resolved', by: 'Andy Moss' },
    ]);
    const native = intercomFixture('admin-replied-and-closed');
    const asReply = { ...native, topic: 'conversation.admin.replied', id: 'notif_another' };
    const ids = (notification: Json) => deliveriesOf(notification).map(({ id }) => id);
    expect(ids(asReply)).toEqual(ids(native));
    expect(new Set(ids(native)).size).toBe(2);
  });

  test.each([
    ['admin-assigned', 'claimed', 'Andy Moss'],
    ['admin-assigned-by-rule', 'claimed', 'Fin'],
    ['admin-assigned-to-team', 'claimed', 'Andy Moss'],
    ['admin-opened-for-himself', 'claimed', 'Andy Moss'],
    ['admin-assigned-to-us', 'open', 'Andy Moss'],
    ['admin-unassigned', 'open', 'Andy Moss'],
    ['admin-opened', 'open', 'Andy Moss'],
    ['admin-opened-with-note', 'open', 'Andy Moss'],
    ['admin-closed', 'resolved', 'Andy Moss'],
  ])('%s makes the conversation %s', (name, status, by) => {
    expect(eventsOf(name)).toEqual([{ type: 'status-changed', conversation, status, by }]);
  });

  test.each(['admin-unassigned-by-us', 'admin-assigned-to-team-by-rule'])('%s changes nothing', (name) => {
    expect(eventsOf(name)).toEqual([]);
  });

  test('a contact’s message to an assigned teammate first claims the conversation for the teammate', () => {
    expect(eventsOf('user-replied-to-teammate')).toMatchObject([
      { type: 'status-changed', status: 'claimed', by: 'Intercom teammate 7002' },
      { type: 'message', text: 'Thank you, Andy' },
    ]);
  });

  test.each(['admin-noted', 'admin-opened-with-note'])('%s: no event contains the note', (name) => {
    const events = JSON.stringify([eventsOf(name), normalise(intercomFixture(name), account)]);
    expect(events).not.toContain('give him nothing');
    expect(events).not.toContain('Watch this one');
  });

  test('without a known teammate, no author is taken for the bot', () => {
    const unknown = intercomAccount({ profile: {} });
    expect(eventsOf('admin-replied-by-us', unknown)).toMatchObject([{ type: 'person-replied' }]);
    const named = intercomAccount({ profile: {}, settings: { ...account.settings, admin_id: '7002' } });
    expect(eventsOf('admin-replied', named)).toMatchObject([{ sender: { kind: 'self' } }]);
  });
});

describe('a rating', () => {
  test.each([
    ['rating-good', 'up', 'Quick!'],
    ['rating-bad', 'down', null],
  ])('%s is feedback on the last answer', (name, value, comment) => {
    const sender = { id: '65f1a2b3c4d5e6f7a8b9c0d1', kind: 'person' };
    expect(eventsOf(name)).toMatchObject([
      { type: 'feedback', messageId: null, value, comment, sender, conversation },
    ]);
  });

  test('of 3 is neither good nor bad, and a rating of a teammate is ignored', () => {
    expect(
      deliveriesOf(changed('rating-good', '"rating":5', '"rating":3')).flatMap((one) =>
        normalise(one.native, account),
      ),
    ).toMatchObject([{ type: 'feedback', value: null }]);
    expect(eventsOf('rating-of-teammate')).toEqual([
      { type: 'unsupported', nativeType: 'conversation.rating.added' },
    ]);
  });
});

describe('the webhook', () => {
  test('a ping is answered and has no other effect', () => {
    expect(read(intercomFixture('ping'))).toEqual({ kind: 'handshake', respond: { status: 200 } });
  });

  test.each(['contact-attached', 'admin-snoozed', 'operator-replied', 'admin-noted'])(
    '%s is not stored',
    (name) => {
      const { topic } = intercomFixture(name);
      expect(read(intercomFixture(name))).toEqual({
        kind: 'ignored',
        because: `unsupported topic ${topic}`,
        respond: { status: 200 },
      });
    },
  );

  test.each(intercomFixtures())('%s: every delivery has its workspace and lane', (name) => {
    const deliveries = deliveriesOf(intercomFixture(name));
    for (const { tenant, lane, native } of deliveries) {
      expect(tenant).toBe('ghi7jk2l');
      const [event] = normalise(native, account);
      if (event && 'conversation' in event) expect(event.conversation.lane).toBe(lane);
    }
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(deliveries.length);
  });

  test('only a HEAD request is answered without a signature', () => {
    const asked = (method: string) => ({ method, path: '/', headers: {}, query: {}, body: Buffer.from('') });
    expect(createWebhook(account).greet?.(asked('HEAD'))).toEqual({ status: 200 });
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expect(createWebhook(account).greet?.(asked(method))).toBeNull();
  });
});

describe.skipIf(intercomSpec === null)(
  "Intercom's OpenAPI description (skipped if PEERS_DIR is not set)",
  () => {
    const conversations = intercomFixtures().filter((name) => !['ping', 'deleted'].includes(name));

    test.each(conversations)('the item of %s is a conversation', (name) => {
      const { data } = intercomFixture(name);
      const item = typeof data === 'object' && data !== null && 'item' in data ? data.item : null;
      expect(faultOfIntercom('conversation', item)).toBeNull();
    });
  },
);

const recorded = peersFile('payloads/intercom');

describe.skipIf(recorded === null)('recorded notifications of 2020 (skipped if PEERS_DIR is not set)', () => {
  const native = (name: string) => JSON.parse(readFileSync(`${recorded}/${name}.json`, 'utf8'));
  const of = (name: string, by = account) =>
    deliveriesOf(native(name), by).flatMap((one) => normalise(one.native, by));
  const andy = intercomAccount({ profile: { ...account.profile, admin_id: '3330619' } });

  test.each([
    ['conversation-admin-replied', 'person-replied', { text: 'hi Bob' }],
    ['conversation-admin-single-created', 'person-replied', {}],
    ['conversation-admin-single-created-lead', 'person-replied', {}],
    ['conversation-admin-assigned', 'status-changed', { status: 'claimed', by: 'Andy' }],
    ['conversation-admin-assigned-to-unknown', 'status-changed', { status: 'claimed' }],
    ['conversation-admin-closed', 'status-changed', { status: 'resolved' }],
    ['conversation-admin-opened', 'status-changed', { status: 'claimed' }],
    ['conversation-admin-opened-no-admin', 'status-changed', { status: 'open' }],
  ])('%s is %s', (name, type, more) => {
    expect(of(name)).toMatchObject([{ type, ...more }]);
  });

  test('the actions of the configured teammate are the bot’s', () => {
    expect(of('conversation-admin-replied', andy)).toMatchObject([{ sender: { kind: 'self' } }]);
    expect(of('conversation-admin-assigned', andy)).toEqual([]);
  });

  test.each([
    'conversation-admin-noted',
    'conversation-admin-snoozed',
    'conversation-admin-unsnoozed',
    'conversation-part-tag-created',
    'user-created',
    'user-deleted',
    'lead-created',
    'lead-tag-created',
  ])('%s is not stored', (name) => {
    expect(read(native(name)).kind).toBe('ignored');
  });
});

function changed(name: string, from: string, to: string): Json {
  return JSON.parse(JSON.stringify(intercomFixture(name)).replace(from, to));
}
