import { describe, expect, test } from 'vitest';
import type { ReadMails } from '../../../../core/tickets/formats/mbox.ts';
import { detectTicketFormat, readTickets } from '../../../../core/tickets/formats/read-tickets.ts';
import type { TicketReading } from '../../../../core/tickets/formats/ticket.ts';

const noMails: ReadMails = async () => [];

/** An export that arrives in pieces of a few bytes. */
function fileOf(text: string, size = 97) {
  const bytes = Buffer.from(text);
  return {
    readMails: noMails,
    async *open() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}

async function read(text: string): Promise<readonly TicketReading[]> {
  const file = fileOf(text);
  const format = await detectTicketFormat(fileOf(text, 1_000));
  if (format === null) return [];
  const readings: TicketReading[] = [];
  for await (const reading of readTickets(format, file)) readings.push(reading);
  return readings;
}

const reply = 'You can return a box within 30 days.';

const zendesk = {
  id: 35_436,
  created_at: '2026-03-01T10:00:00Z',
  subject: 'Returning a box',
  requester_id: 1,
  requester: { id: 1, name: 'Gréta Meyer', locale: 'en-US' },
  tags: ['returns'],
  satisfaction_rating: { score: 'good', comment: 'Thanks' },
  comments: [
    {
      author_id: 1,
      plain_body: 'May I return it?\n\nKind regards,\nGréta Meyer\nGreat Street 5',
      created_at: '2026-03-01T10:00:00Z',
    },
    { author_id: 9, body: 'Ask Ann first.', public: false, created_at: '2026-03-01T10:01:00Z' },
    {
      author_id: 9,
      body: 'We have received your request (35436) and look into it.',
      created_at: '2026-03-01T10:02:00Z',
    },
    { author_id: 9, html_body: `<p>Hello Gréta,</p><p>${reply}</p>`, created_at: '2026-03-01T11:00:00Z' },
  ],
};

const intercom = {
  type: 'conversation',
  id: '1295',
  created_at: 1_772_360_000,
  source: {
    type: 'conversation',
    delivered_as: 'customer_initiated',
    subject: '',
    body: '<p>Hi!</p>',
    author: { type: 'user', id: '1', name: 'Greta' },
  },
  tags: { type: 'tag.list', tags: [{ name: 'returns' }] },
  conversation_rating: { rating: 4 },
  linked_objects: { type: 'list', data: [{ id: 7 }] },
  conversation_parts: {
    type: 'conversation_part.list',
    conversation_parts: [
      {
        part_type: 'comment',
        body: '<p>How can I return a box?</p>',
        created_at: 1_772_360_010,
        author: { type: 'user' },
      },
      {
        part_type: 'comment',
        body: '<p>The team replies soon, usually within minutes.</p>',
        created_at: 1_772_360_011,
        author: { type: 'bot' },
      },
      {
        part_type: 'note',
        body: '<p>Check the order of Greta before replying.</p>',
        created_at: 1_772_360_012,
        author: { type: 'admin' },
      },
      { part_type: 'comment', body: `<p>${reply}</p>`, created_at: 1_772_360_090, author: { type: 'admin' } },
    ],
  },
};

const chatwoot = {
  id: 12,
  labels: ['returns'],
  additional_attributes: { browser_language: 'de' },
  meta: { sender: { name: 'Greta' } },
  messages: [
    {
      content: 'How can I return a box?',
      message_type: 0,
      created_at: 1_772_360_000,
      sender: { type: 'contact' },
    },
    { content: 'Assigned to Ben', message_type: 2, created_at: 1_772_360_001 },
    { content: 'Is she a good customer, Ben?', message_type: 1, private: true, created_at: 1_772_360_002 },
    { content: reply, message_type: 'outgoing', created_at: 1_772_360_003, sender: { type: 'user' } },
    {
      content: 'Please rate this',
      message_type: 3,
      content_type: 'input_csat',
      created_at: 1_772_360_004,
      content_attributes: { submitted_values: { csat_survey_response: { rating: 2 } } },
    },
  ],
};

describe('an export is read', () => {
  test('of Zendesk, as a list, within an object and as lines', async () => {
    const expected = {
      externalId: '35436',
      question: 'Returning a box\n\nMay I return it?',
      reply: `Hello [name],\n\n${reply}`,
      tags: ['returns'],
      language: 'en',
      rating: 5,
    };
    for (const text of [
      JSON.stringify([zendesk]),
      JSON.stringify({ tickets: [zendesk], count: 1 }, null, 2),
      `${JSON.stringify(zendesk)}\n`,
    ])
      expect(await read(text)).toEqual([{ record: 1, ticket: expect.objectContaining(expected) }]);
  });

  test('of Intercom: the question after a greeting, and the reply of a person', async () => {
    const [reading] = await read(JSON.stringify({ conversations: [intercom] }));
    expect(reading).toMatchObject({
      ticket: {
        externalId: '1295',
        question: 'How can I return a box?',
        reply,
        rating: 4,
        tags: ['returns'],
      },
    });
  });

  test('of Chatwoot, whose numbers and words of a kind mean the same', async () => {
    const [reading] = await read(JSON.stringify({ data: { meta: {}, payload: [chatwoot] } }));
    expect(reading).toMatchObject({
      ticket: { externalId: '12', question: 'How can I return a box?', reply, language: 'de', rating: 2 },
    });
  });

  test('a broken line costs itself alone, and each record that is left out has a reason', async () => {
    const line = (ticket: object) => JSON.stringify(ticket);
    const readings = await read(
      [
        line(zendesk),
        '{"id": 2, "requester_id": 1, "subject": "cut off',
        line({ ...zendesk, id: 3, comments: [] }),
        line({ ...zendesk, id: 4, comments: zendesk.comments.slice(0, 3) }),
        line({ ...zendesk, id: 5, comments: zendesk.comments.slice(3) }),
        line({ requester_id: 1 }),
        line({ ...zendesk, id: 7 }),
      ].join('\n'),
    );
    expect(readings.map((one) => ('ticket' in one ? one.ticket.externalId : one.omission))).toEqual([
      '35436',
      'unreadable',
      'no_question',
      'no_reply',
      'outbound',
      'unreadable',
      '7',
    ]);
    expect(readings.map(({ record }) => record)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('nothing is known of other files', async () => {
    for (const text of ['', 'a,b\n1,2', '[1,2,3]', '{"a":{"b":1}}', '%PDF-1.7'])
      expect(await detectTicketFormat(fileOf(text))).toBeNull();
  });

  test('a record that is longer than any ticket is left out, and the next one is read', async () => {
    const long = { ...zendesk, id: 1, subject: 'x'.repeat(4_100_000) };
    const readings: TicketReading[] = [];
    const file = fileOf(JSON.stringify({ tickets: [zendesk, long, { ...zendesk, id: 2 }] }), 500_000);
    for await (const reading of readTickets('zendesk', file)) readings.push(reading);
    expect(readings.map((one) => ('omission' in one ? one.omission : one.ticket.externalId))).toEqual([
      '35436',
      'too_large',
      '2',
    ]);
  });
});
