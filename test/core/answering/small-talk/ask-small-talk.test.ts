import { describe, expect, test } from 'vitest';
import { ask } from '../../../../core/answering/ask.ts';
import { humanSkill } from '../../../../core/contract/skill.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { plainRequest } from '../../../helpers/servers/questions/plain-request.ts';

const { runtime, makeWorkspace, addDocument } = await openTestServer();
const made = await makeWorkspace();
await addDocument(
  made.id,
  '# Delivery and returns\n\nParcels arrive within three working days. Write to hello@shop.example.',
);
const workspace = await runtime.workspaces.get(made.id);
const request = plainRequest(workspace, '');
const signal = new AbortController().signal;

async function say(question: string, change: Partial<typeof request> = {}) {
  const { answer, conversationId } = await ask(runtime, { ...request, question, ...change }, { signal });
  return { ...answer, conversationId };
}

const statusOf = async (id: string) =>
  runtime.database.kysely
    .selectFrom('conversation')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('a greeting is answered without a search, names the workspace and what can be asked', async () => {
  const { text, confidence, sources, skillsFired } = await say('hello');
  expect({ confidence, sources, skillsFired }).toEqual({ confidence: 'high', sources: [], skillsFired: [] });
  expect(text).toContain(workspace.name);
  expect(text).toContain('Delivery and returns');
});

test('a streamed reply equals the whole one', async () => {
  let heard = '';
  const stages: string[] = [];
  const listener = {
    stage: (stage: string) => void stages.push(stage),
    token(text: string) {
      heard += text;
    },
  };
  const { answer } = await ask(runtime, { ...request, question: 'thanks!' }, { signal, listener });
  expect(heard).toBe(answer.text);
  expect(stages).toEqual(['understanding', 'searching', 'reading', 'writing']);
});

test('a question after a greeting is answered from the documents', async () => {
  const { text } = await say('Hello, within how many working days do parcels arrive?');
  expect(text).toContain('within three working days');
});

describe('the language of a short message', () => {
  test('is the language of the conversation', async () => {
    const { conversationId } = await say('Wann kommt mein Paket endlich bei mir an?');
    expect((await say('ok', { conversationId, language: 'fr' })).text).toMatch(/^Gut\./);
  });

  test('is otherwise the visitor’s own setting', async () => {
    expect((await say('ok', { language: 'ja' })).text).toMatch(/^承知しました/);
    expect((await say('hm?', { language: 'de-AT' })).text).toMatch(/^Gut\./);
    expect((await say('xyz', { language: 'de' })).text).toMatch(/^Dazu habe ich/);
  });

  test('is otherwise the language of the workspace', async () => {
    const described = { ...workspace, settings: { description: 'Ein Laden für Gärtnerinnen und Gärtner' } };
    expect((await say('ok', { workspace: described })).text).toMatch(/^Gut\./);
  });
});

describe('the offer of a person', () => {
  test('hands over if the visitor agrees in the next message', async () => {
    const { text, skillsFired, conversationId } = await say('this is useless');
    expect(text).toMatch(/person from the team\?$/);
    expect(skillsFired).toEqual([]);
    expect(await statusOf(conversationId)).not.toEqual({ status: 'escalated' });
    expect((await say('yes please', { conversationId })).skillsFired).toEqual([humanSkill]);
    expect(await statusOf(conversationId)).toEqual({ status: 'escalated' });
  });

  test('ends with the next message', async () => {
    const { conversationId } = await say('are you human?');
    await say('no', { conversationId });
    expect((await say('yes', { conversationId })).skillsFired).toEqual([]);
  });

  test('is not made by a workspace without people', async () => {
    const alone = { ...workspace, settings: { skills: ['knowledge_search'] } };
    const { text, conversationId } = await say('this is useless', { workspace: alone });
    expect(text).not.toContain('person');
    expect((await say('yes', { workspace: alone, conversationId })).skillsFired).toEqual([]);
  });
});

test('a form that waits for a reply gets it before small talk does', async () => {
  const { conversationId } = await say('Please call me back');
  const declined = await say('no thanks', { conversationId });
  expect(declined.skillsFired).toEqual(['collect_lead']);
});

test('small talk counts as no fallback', async () => {
  const impatient = { ...workspace, settings: { escalate_after_fallbacks: 2 } };
  const { conversationId } = await say('hello', { workspace: impatient });
  const { confidence, skillsFired } = await say('Who won the chess championship?', {
    workspace: impatient,
    conversationId,
  });
  expect({ confidence, handedOver: skillsFired.includes(humanSkill) }).toEqual({
    confidence: 'low',
    handedOver: false,
  });
});

describe('a fallback', () => {
  test('names documents that the visitor may read, and no others', async () => {
    const shop = await makeWorkspace({ settings: { audiences: ['dealers'] } });
    await addDocument(shop.id, '# Opening hours\n\nWe open at nine.');
    await addDocument(shop.id, '# Secret price list\n\nDealers pay half.', ['dealers']);
    const asked = { workspace: await runtime.workspaces.get(shop.id) };
    const { text } = await say('Who won the chess championship?', asked);
    expect(text).toContain('You can ask me, for example, about: Opening hours.');
    expect(
      (await say('Who won the chess championship?', { ...asked, audience: ['dealers'] })).text,
    ).toContain('Secret price list');
  });

  test('is the workspace’s own, unchanged', async () => {
    const own = { ...workspace, settings: { fallback_message: 'Please ring us.' } };
    expect((await say('Who won the chess championship?', { workspace: own })).text).toBe('Please ring us.');
  });
});
