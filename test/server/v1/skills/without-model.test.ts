import { describe, expect, test } from 'vitest';
import { openPublicServer } from '../../../helpers/servers/open-public-server.ts';

// The time is a Monday, at noon in Berlin.
const time = { now: new Date('2026-03-02T11:00:00Z') };
const server = await openPublicServer({ runtime: { clock: { now: () => time.now } } });

async function openShop(settings: object = {}) {
  const shop = await server.openWorkspace({ settings });
  await server.addDocument(shop.id, 'Parcels arrive within three working days.');
  return {
    ...shop,
    ask: async (query: string, conversationId?: string) =>
      (await server.query(shop.key, { query, conversation_id: conversationId })).json(),
    conversation: async (id: string) => {
      const { body } = await server.app.inject({
        method: 'GET',
        url: `/v1/conversations/${id}?workspace_id=${shop.id}`,
        headers: { authorization: `Bearer ${shop.key}` },
      });
      return JSON.parse(body);
    },
  };
}

describe('a visitor who requests an agent', () => {
  test.each([
    ['Can I talk to a human, please?', /^I have passed this conversation on to our team/],
    ['Ich möchte bitte mit einem Menschen sprechen.', /^Ich habe dieses Gespräch an unser Team/],
    ['Quiero hablar con una persona, por favor.', /^He pasado esta conversación/],
    ['Je voudrais parler à un conseiller.', /^J'ai transmis cette conversation/],
  ])('is handed over: %s', async (query, says) => {
    const shop = await openShop();
    const answer = await shop.ask(query);
    expect(answer).toMatchObject({ skills_fired: ['escalate_to_human'], confidence: 'high', sources: [] });
    expect(answer.answer).toMatch(says);
    expect(await shop.conversation(answer.conversation_id)).toMatchObject({
      status: 'escalated',
      audit_log: [{ action: 'status_changed', actor: 'escalate_to_human' }],
    });
  });

  test('gets the support hours, and is handed over only once', async () => {
    const hours = [{ from: '09:00', to: '11:30' }];
    const shop = await openShop({
      support_hours: { time_zone: 'Europe/Berlin', monday: hours, friday: hours },
    });
    const first = await shop.ask('Can I talk to a human, please?');
    expect(first.answer).toMatch(/back on Friday at 09:00/);
    const again = await shop.ask('A human, please!', first.conversation_id);
    expect(again.answer).toMatch(/already knows/);
    expect((await shop.conversation(first.conversation_id)).audit_log).toHaveLength(1);
  });

  test('gets the same in a stream, after every stage', async () => {
    const shop = await openShop();
    const { body } = await server.stream(shop.key, { query: 'Get me a real person!' });
    const frames = body
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)));
    expect(frames.flatMap(({ stage }) => stage ?? [])).toEqual([
      'understanding',
      'searching',
      'reading',
      'writing',
    ]);
    expect(frames.map(({ token }) => token ?? '').join('')).toMatch(/^I have passed this/);
    expect(frames.at(-1)).toMatchObject({ skills_fired: ['escalate_to_human'] });
  });

  test('is not handed over if the workspace has disabled that', async () => {
    const shop = await openShop({ skills: ['knowledge_search'] });
    const answer = await shop.ask('Can I talk to a human, please?');
    expect(answer).toMatchObject({ skills_fired: ['knowledge_search'], confidence: 'low' });
    expect(await shop.conversation(answer.conversation_id)).toMatchObject({ status: 'open' });
  });

  test('is not handed over as an agent without a key', async () => {
    const shop = await openShop();
    const response = await server.askPublicly(shop.id, { query: 'Can I talk to a human, please?' });
    expect(response.statusCode).toBe(200);
    const rows = await server.runtime.database.kysely
      .selectFrom('conversation')
      .select('status')
      .where('workspace_id', '=', shop.id)
      .execute();
    expect(rows).toEqual([{ status: 'open' }]);
  });
});

describe('two fallbacks in a row', () => {
  const unknown = 'Who won the cup in 1954?';

  test('escalate if the workspace is configured so', async () => {
    const shop = await openShop({ escalate_after_fallbacks: 2 });
    const first = await shop.ask(unknown);
    expect(first.skills_fired).toEqual(['knowledge_search']);
    const second = await shop.ask(unknown, first.conversation_id);
    expect(second).toMatchObject({
      confidence: 'low',
      skills_fired: ['knowledge_search', 'escalate_to_human'],
    });
    expect(second.answer).toMatch(/could not find[\s\S]+passed this conversation on/);
    expect(await shop.conversation(first.conversation_id)).toMatchObject({
      status: 'escalated',
      audit_log: [{ details: { reason: 'No answer was found, 2 times in a row.' } }],
    });
  });

  test('do not escalate with an answer between them', async () => {
    const shop = await openShop({ escalate_after_fallbacks: 2 });
    const { conversation_id: id } = await shop.ask(unknown);
    expect((await shop.ask('How many working days until parcels arrive?', id)).confidence).not.toBe('low');
    await shop.ask(unknown, id);
    expect(await shop.conversation(id)).toMatchObject({ status: 'open' });
  });
});

describe('a visitor who wants to be contacted', () => {
  test('is asked for missing details, which are stored', async () => {
    const shop = await openShop();
    const asked = await shop.ask('Could somebody call me back, please?');
    expect(asked.skills_fired).toEqual(['collect_lead']);
    expect(asked.answer).toMatch(/name/);
    const told = 'Ann Lee, ann@example.com';
    const thanked = await shop.ask(told, asked.conversation_id);
    expect(thanked).toMatchObject({ skills_fired: ['collect_lead'], confidence: 'high' });
    expect(thanked.answer).toContain('ann@example.com');
    expect(await shop.conversation(asked.conversation_id)).toMatchObject({
      customer: { name: 'Ann Lee', email: 'ann@example.com', email_verified: false, phone: null },
      audit_log: [{ action: 'lead_captured', actor: 'collect_lead', details: { fields: ['email', 'name'] } }],
    });
  });

  test('can ask something else first and gets an answer', async () => {
    const shop = await openShop();
    const { conversation_id: id } = await shop.ask('Could somebody call me back, please?');
    const answer = await shop.ask('How many working days until parcels arrive?', id);
    expect(answer.answer).toContain('three working days');
    const later = await shop.ask('ann@example.com', id);
    expect(later.skills_fired).toEqual(['collect_lead']);
    expect(await shop.conversation(id)).toMatchObject({ customer: { email: 'ann@example.com' } });
  });

  test('is no longer asked after a change of topic', async () => {
    const shop = await openShop();
    const { conversation_id: id } = await shop.ask('Could somebody call me back, please?');
    for (let turn = 0; turn < 3; turn += 1) await shop.ask('How many working days until parcels arrive?', id);
    expect((await shop.ask('ann@example.com', id)).skills_fired).not.toContain('collect_lead');
    expect(await shop.conversation(id)).toMatchObject({ customer: { email: null } });
  });
});
