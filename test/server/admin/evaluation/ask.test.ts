import { describe, expect, test } from 'vitest';
import { connectors } from '../../../../connectors/registry.ts';
import { startFakeProvider } from '../../../helpers/models/providers/fake-provider.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer({ runtime: { connectors } });
const { operate, makeWorkspace, addDocument, runtime } = server;
const workspace = await makeWorkspace({ settings: { audiences: ['pro'] } });
const path = `/workspaces/${workspace.id}/ask`;
await addDocument(workspace.id, '# Returns\n\nYou can return a box within 30 days.');
await addDocument(workspace.id, '# Trade returns\n\nTrade customers can return a pallet within 90 days.', [
  'pro',
]);
const ask = async (body: object) => operate('POST', path, body);

describe('a question on trial', () => {
  test('is answered with its sources, passages, limits and decision', async () => {
    const response = await ask({ query: 'Within how many days can I return a box?' });
    expect(response.statusCode).toBe(200);
    const answer = response.json();
    expect(answer).toMatchObject({
      answer: expect.stringContaining('30 days'),
      tier: 'answer',
      quoted: true,
      tokens_used: 0,
      limits: { answer: 0.4, maybe: 0.3 },
      decision: { act: 'quote', understood: 'questions' },
    });
    expect(answer.passages[0]).toMatchObject({ title: 'Returns', use: 'used' });
    expect(answer.sources[0].title).toBe('Returns');
  });

  test('is shown as a channel of the workspace shows it, and as no channel of another one', async () => {
    const settings = { verify: false };
    const add = async (to: string, channel: string, account: object, own: object = {}) =>
      (
        await operate('POST', `/workspaces/${to}/channels`, {
          ...{ channel, name: channel, ...account, settings: { ...settings, ...own } },
        })
      ).json().id;
    const twilio = { credentials: { account_sid: `AC${'1'.repeat(32)}`, auth_token: 'a'.repeat(32) } };
    const mailbox = { host: 'mail.shop.example', secure: true, user: 'help@shop.example', pass: 'none' };
    const ids = {
      sms: await add(workspace.id, 'sms', twilio, { from: '+15550001111' }),
      email: await add(
        workspace.id,
        'email',
        { credentials: { imap: { ...mailbox, port: 993 }, smtp: { ...mailbox, port: 465 } } },
        { from: 'help@shop.example', name: 'Shop' },
      ),
    };
    const choices = (await operate('GET', path)).json();
    expect(choices.channels).toEqual([
      { id: ids.email, name: 'email' },
      { id: ids.sms, name: 'sms' },
    ]);
    const shown = async (channel_id: string | null) =>
      (await ask({ query: 'Within how many days can I return a box?', channel_id })).json();
    expect((await shown(null)).rendered).toBeNull();
    expect((await shown(ids.sms)).rendered).toMatchObject({
      ...{ markup: 'none', limit: expect.any(Number) },
      parts: [{ subject: null, text: expect.stringContaining('30 days') }],
    });
    expect((await shown(ids.email)).rendered.parts).toMatchObject([
      { subject: 'Re: Question', html: expect.stringContaining('30 days') },
    ]);
    const other = await makeWorkspace();
    const foreign = await add(other.id, 'sms', twilio, { from: '+15550001112' });
    expect((await shown(foreign)).code).toBe('channel_not_found');
    await operate('PATCH', `/workspaces/${workspace.id}/channels/${ids.sms}`, { enabled: false });
    expect((await shown(ids.sms)).code).toBe('channel_unreachable');
  });

  test('stores no conversation, counts nothing and fires nothing', async () => {
    const usage = async () =>
      (await runtime.database.kysely.selectFrom('owner_usage').selectAll().execute()).length;
    const before = await usage();
    const { answer } = (await ask({ query: 'I want to talk to a human' })).json();
    expect(answer).not.toBe('');
    const rows = await runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', workspace.id)
      .execute();
    expect([rows, await usage()]).toEqual([[], before]);
  });

  test('is asked as an audience, and not as one that the workspace lacks', async () => {
    const query = 'Within how many days can trade customers return a pallet?';
    const titles = async (audience: string[]) =>
      (await ask({ query, audience })).json().passages.map(({ title }: { title: string }) => title);
    expect(await titles([])).not.toContain('Trade returns');
    expect(await titles(['pro'])).toContain('Trade returns');
    expect((await ask({ query, audience: ['vip'] })).json().code).toBe('invalid_audience');
  });

  test('continues the conversation that it is given', async () => {
    const turns = [{ question: 'Can I return a box?', answer: 'You can return a box within 30 days.' }];
    const { decision } = (await ask({ query: 'and how long?', turns })).json();
    expect(decision.questions[0].searched).toContain('box');
  });

  test('400: a model that the installation lacks', async () => {
    expect((await ask({ query: 'Hello?', model: 'openai:gpt' })).json().code).toBe('unknown_model');
    expect((await operate('GET', path)).json()).toMatchObject({ models: [], audiences: ['pro'] });
  });

  test('403: for people who may not read documents; 404: in a workspace of others', async () => {
    const other = await makeWorkspace();
    const vic = await signInPerson(server, {
      email: 'vic@other.example',
      role: 'viewer',
      ownerId: other.owner,
    });
    const response = await vic.call('POST', `/admin/v1${path}`, { query: 'Can I return a box?' });
    expect([403, 404]).toContain(response.statusCode);
  });
});

test('another model answers, or none', async () => {
  const provider = await startFakeProvider({ good: 'You can return a box within 30 days. [1]' });
  const own = await openTestServer({
    runtime: { environment: { ...provider.environment, LLM_MODELS: 'openai:good' } },
  });
  const { id } = await own.makeWorkspace();
  await own.addDocument(id, '# Returns\n\nYou can return a box within 30 days.');
  const choices = (await own.operate('GET', `/workspaces/${id}/ask`)).json();
  expect(choices.models).toEqual(['openai:good', 'none']);
  const query = 'Within how many days can I return a box?';
  const withModel = (await own.operate('POST', `/workspaces/${id}/ask`, { query })).json();
  const without = (await own.operate('POST', `/workspaces/${id}/ask`, { query, model: 'none' })).json();
  expect([withModel.ai_generated, without.ai_generated, without.quoted]).toEqual([true, false, true]);
});
