import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { intercom } from '../../../connectors/intercom/intercom.ts';
import type { IntercomAccount } from '../../../connectors/intercom/manifest.ts';
import type { Json } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { Reply } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { intercomAccount } from '../../helpers/platforms/intercom-account.ts';
import { intercomSpec } from '../../helpers/platforms/intercom-spec.ts';
import { openIntercomStandIn } from '../../helpers/platforms/intercom-stand-in.ts';
import { openIntercomProxy } from '../../helpers/platforms/open-intercom-proxy.ts';
import { freePort } from '../../helpers/servers/free-port.ts';

const peer = await openIntercomStandIn();
const proxy = await openIntercomProxy(peer.url);
const at = (url: string, changes: Partial<IntercomAccount['settings']> = {}): IntercomAccount => {
  const { settings } = intercomAccount();
  return intercomAccount({ settings: { ...settings, api_base_url: url, ...changes } });
};
const account = at(proxy.url);
let tools = connectorTools({ fetch: proxy.fetch });
let conversation = '';
const to = () => ({ lane: conversation, address: { conversation } });
const part = (content: Json) => ({ content });
const comment = (html: string, text = html) => part({ kind: 'comment', html, text });
const send = (what = comment('<p>Hello</p>'), by = account) => intercom.deliver(what, to(), by, tools);
async function sendAll(reply: Partial<Reply>, by = account) {
  for (const one of intercom.render(plainReply(reply), to(), by)) await send(one, by);
}
const failure = async (sending: Promise<unknown>) => {
  const error = await sending.catch((thrown: unknown) => thrown);
  if (error instanceof ConnectorError) return error;
  throw new TypeError('it did not fail with a ConnectorError');
};

beforeEach(async () => {
  conversation = await peer.begin('<p>When are you open?</p>');
  peer.calls.splice(0);
  tools = connectorTools({ fetch: proxy.fetch, now: () => new Date() });
});

afterEach(() => expect(proxy.violations.splice(0)).toEqual([]));

describe(`sending${intercomSpec === null ? ' (Intercom’s own description is not at hand: PEERS_DIR)' : ''}`, () => {
  test('an answer is said by our own teammate, and its id is that of its part', async () => {
    const receipt = await send();
    expect(peer.partsOf(conversation)).toMatchObject([
      { part_type: 'comment', body: '<p>Hello</p>', author: { id: '7001' } },
    ]);
    expect(receipt).toEqual({ messageId: `${conversation}/${peer.partsOf(conversation)[0]?.id}` });
    expect(peer.calls).toMatchObject([{ version: '2.14' }]);
  });

  test('the button comes after it, for Intercom takes no words with it', async () => {
    await sendAll({ text: 'At nine.', offers: ['human'] });
    expect(peer.partsOf(conversation)).toMatchObject([
      { part_type: 'comment', body: '<p>At nine.</p>' },
      { part_type: 'quick_reply', body: null },
    ]);
  });

  test('a conversation that goes to a person is noted and given to the team', async () => {
    await sendAll(
      { text: 'A person will answer.', handover: true },
      at(proxy.url, { handover_to: 'team:8001' }),
    );
    expect(peer.partsOf(conversation).map((one) => one.part_type)).toEqual(['comment', 'note', 'assignment']);
    expect(peer.conversations.get(conversation)).toMatchObject({ team: '8001' });
    expect(peer.seen(conversation)).toBe('A person will answer.');
  });

  test('or to nobody, so that it is waiting for one', async () => {
    await peer.assign(conversation, { by: peer.us, type: 'admin', to: '7001' });
    await sendAll({ handover: true });
    expect(peer.conversations.get(conversation)).toMatchObject({ admin: null });
  });

  test('another teammate than the owner of the token answers where the channel says so', async () => {
    const error = await failure(send(comment('<p>Hi</p>'), at(proxy.url, { admin_id: '7009' })));
    expect(error.message).toBe('Admin not found');
    expect(peer.calls).toMatchObject([{ body: { admin_id: '7009' } }]);
  });
});

test.skipIf(intercomSpec === null)(
  "what Intercom's description does not know is found (in PEERS_DIR)",
  async () => {
    const body = { message_type: 'shout', type: 'admin', admin_id: 7001, body: 'Hello' };
    await proxy.fetch(`${proxy.url}/conversations/${conversation}/reply`, {
      method: 'POST',
      headers: { authorization: `Bearer ${peer.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(proxy.violations.splice(0).join()).toMatch(/request.*body/);
  },
);

test('nobody is notified where that is not wanted, in the version that knows of it', async () => {
  await intercom.deliver(comment('<p>Hi</p>'), to(), at(peer.url, { skip_notifications: true }), tools);
  expect(peer.calls).toMatchObject([{ version: '2.15', body: { skip_notifications: true } }]);
});

describe('what Intercom refuses', () => {
  test('markup: the text goes out plain, at once', async () => {
    await send(comment('<p>unclosed <odd>', 'a < b & c'));
    expect(peer.seen(conversation)).toBe('a < b & c');
    expect(tools.warned).toEqual(['Intercom refused the markup of a message: it goes out plain']);
  });

  test('buttons: the answer stands without them', async () => {
    peer.trouble({ kind: 'refused', status: 422, code: 'parameter_invalid', message: 'not supported' });
    const receipt = await send(part({ kind: 'buttons', options: [] }));
    expect(receipt).toEqual({ messageId: `${conversation}/` });
    expect(tools.warned).toEqual(['Intercom refused the buttons under an answer: they are left out']);
  });

  test('too much: until the next ten seconds begin, or for as long as it says', async () => {
    peer.trouble({ kind: 'limited', resetIn: 4 });
    const { advice, account: isRefused } = await failure(send());
    expect(isRefused).toBe(false);
    expect(advice).toMatchObject({ retry: 'after' });
    if (advice.retry === 'after') expect(Math.abs(advice.afterMs - 4_500)).toBeLessThan(1_500);
    peer.trouble({ kind: 'limited-for', seconds: 12 });
    expect(await failure(send())).toMatchObject({
      advice: { retry: 'after', afterMs: 12_000, limited: 'account' },
    });
  });

  test('a conversation that is gone: never, and nothing else can be sent there', async () => {
    peer.conversations.delete(conversation);
    expect(await failure(send())).toMatchObject({
      message: 'Resource Not Found',
      advice: { retry: 'never' },
      account: false,
      unreachable: true,
    });
  });

  test.each([
    [401, 'unauthorized', 'Access Token Invalid'],
    [403, 'api_plan_restricted', 'Active subscription needed.'],
  ])('the account, by %i %s: never, and the account is told', async (status, code, message) => {
    peer.trouble({ kind: 'refused', status, code, message });
    expect(await failure(send())).toMatchObject({ message, advice: { retry: 'never' }, account: true });
  });

  test('a token that it does not know', async () => {
    const other = { ...account, credentials: { ...account.credentials, access_token: 'another' } };
    expect(await failure(send(comment('<p>Hi</p>'), other))).toMatchObject({ account: true });
  });
});

describe('what Intercom did not say that it took', () => {
  const find = (what: ReturnType<typeof part>, since = new Date(Date.now() - 60_000)) =>
    intercom.facets.findSent?.({ part: what, to: to(), since }, account, tools);

  test.each([
    ['an answer', comment('<p>Open <b>until</b> six</p>'), comment('<p>Open until five</p>')],
    [
      'an answer in other markup',
      comment('<h9>Open until six</h9>', 'Open until six'),
      comment('<p>Open</p>'),
    ],
    ['a note', part({ kind: 'note', html: '<p>Open until six</p>' }), comment('<p>Open until six</p>')],
  ])('%s is found by its words', async (_, sought, another) => {
    await send(another);
    await peer.answerAs(conversation, peer.andy, '<p>Open <b>until</b> six</p>');
    expect(await find(sought)).toEqual([]);
    await send(sought);
    const last = peer.partsOf(conversation).at(-1);
    expect(await find(sought)).toEqual([{ messageId: `${conversation}/${last?.id}` }]);
    expect(await find(sought, new Date(Date.now() + 60_000))).toEqual([]);
  });

  test('who a conversation was given to is said again', async () => {
    const given = part({ kind: 'assignment', type: 'team', id: '8001' });
    await send(given);
    expect(await find(given)).toEqual([]);
  });
});

describe('what passes', () => {
  test.each(['garbled', 'intercepted', 'cut-before', 'cut-after'] as const)(
    '%s: tried again later',
    async (kind) => {
      peer.trouble({ kind });
      const error = await failure(intercom.deliver(comment('<p>Hi</p>'), to(), at(peer.url), tools));
      expect(error).toMatchObject({ advice: { retry: 'backoff' }, account: false });
      expect(peer.partsOf(conversation)).toHaveLength(kind === 'cut-after' ? 1 : 0);
    },
  );

  test('nobody there: tried again later, in words that tell why, and without the token', async () => {
    const error = await failure(send(comment('<p>Hi</p>'), at(`http://127.0.0.1:${await freePort()}`)));
    expect(error).toMatchObject({ advice: { retry: 'backoff' } });
    expect(error.message).toMatch(/^Intercom cannot be reached: .*ECONNREFUSED/);
    expect(`${error.stack}${error.cause}`).not.toContain(peer.token);
  });

  test('a call is given up when the process stops', async () => {
    const stop = new AbortController();
    peer.trouble({ kind: 'silent' });
    const ending = { ...tools, signal: stop.signal };
    const sending = failure(intercom.deliver(comment('<p>Hi</p>'), to(), at(peer.url), ending));
    await vi.waitFor(() => expect(peer.calls).toHaveLength(1), { timeout: 10_000 });
    stop.abort();
    expect(await sending).toMatchObject({ advice: { retry: 'backoff' } });
  });
});

test('content and addresses that are not ours, and not knowing who we are, are refused for good', async () => {
  const unknown = { ...account, profile: {} };
  for (const sending of [
    send(part('x')),
    intercom.deliver(comment('x'), { lane: 'x', address: null }, account, tools),
    send(comment('<p>x</p>'), unknown),
  ])
    expect(await failure(sending)).toMatchObject({ advice: { retry: 'never' } });
});

describe('who we are', () => {
  const profile = {
    admin_id: '7001',
    admin_name: 'Parley',
    app_id: 'ghi7jk2l',
    app_name: 'Garden shop',
    region: 'US',
    identity_verification: false,
  };

  test('is the owner of the token, or the teammate that the channel names', async () => {
    expect(await intercom.probe(account, tools)).toEqual(profile);
    expect(await intercom.probe(at(proxy.url, { admin_id: '7002' }), tools)).toEqual({
      ...profile,
      admin_id: '7002',
      admin_name: 'Andy Moss',
    });
  });

  test('a teammate that the workspace does not have, and a token that is none, are refused in its words', async () => {
    expect((await failure(intercom.probe(at(proxy.url, { admin_id: '9' }), tools))).message).toBe(
      'Admin for admin_id not found',
    );
    const other = { ...account, credentials: { ...account.credentials, access_token: 'none' } };
    expect(await failure(intercom.probe(other, tools))).toMatchObject({
      message: 'Access Token Invalid',
      account: true,
    });
  });
});

describe('the region of a workspace', () => {
  const asked: string[] = [];
  const toolsThat = (answer: () => Response) =>
    connectorTools({
      fetch: async (input) => {
        asked.push(String(input));
        return answer();
      },
    });
  const european = intercomAccount({ settings: intercom.manifest.settings.parse({ region: 'eu' }) });
  const me = (region: string) => () =>
    Response.json({ type: 'admin', id: '7001', name: 'Parley', app: { id_code: 'ghi7jk2l', region } });

  test('says where it is called, and another one is told by name', async () => {
    expect(await intercom.probe(european, toolsThat(me('EU')))).toMatchObject({ region: 'EU' });
    expect(asked.at(-1)).toBe('https://api.eu.intercom.io/me');
    expect((await failure(intercom.probe(european, toolsThat(me('US'))))).message).toBe(
      'The workspace is hosted in US: set `region` to us.',
    );
  });

  test('is asked about where a token is not accepted', async () => {
    const refusing = () =>
      Response.json(
        { type: 'error.list', errors: [{ code: 'unauthorized', message: 'Access Token Invalid' }] },
        { status: 401 },
      );
    expect(await failure(intercom.probe(european, toolsThat(refusing)))).toMatchObject({
      message: expect.stringMatching(/^Access Token Invalid \(.*is `region` eu\?\)$/),
      account: true,
    });
  });
});

describe('workspaces of others', () => {
  const { tenancy } = intercom.facets;
  const app = { ...account.credentials, client_id: 'the-app' };
  const base = { ...at(peer.url), credentials: app };
  const back = { redirectUrl: 'https://parley.example/back', state: 's1' };

  test('an account is for the workspace that it was found in, or that its settings name', () => {
    expect(tenancy?.tenantOf(account)).toBe('ghi7jk2l');
    expect(tenancy?.tenantOf(at(proxy.url, { app_id: 'other' }))).toBe('other');
    expect(tenancy?.tenantOf({ ...account, profile: {} })).toBeNull();
  });

  test('let the app in where they are hosted', () => {
    const eu = { ...base, settings: { ...base.settings, region: 'eu' as const } };
    expect(tenancy?.oauth?.authoriseUrl(eu, back)).toBe(
      'https://app.eu.intercom.com/oauth?client_id=the-app&state=s1&redirect_uri=https%3A%2F%2Fparley.example%2Fback',
    );
    expect(() => tenancy?.oauth?.authoriseUrl(account, back)).toThrow(/client_id/);
  });

  test('a code is good for an account of their own', async () => {
    const made = await tenancy?.oauth?.exchange({ code: 'c-1', redirectUrl: back.redirectUrl }, base, tools);
    expect(peer.calls[0]?.body).toEqual({
      code: 'c-1',
      client_id: 'the-app',
      client_secret: 'the-secret-of-the-app',
    });
    expect(made).toMatchObject({
      tenant: 'ghi7jk2l',
      name: 'Garden shop',
      credentials: { access_token: peer.token, client_secret: 'the-secret-of-the-app' },
      settings: { admin_id: '7001', app_id: 'ghi7jk2l', region: 'us' },
    });
  });

  test('a code that is good for nothing is told, and not what it was', async () => {
    const refusing: typeof fetch = async () => Response.json({ errors: [] }, { status: 401 });
    const trading = tenancy?.oauth?.exchange({ code: 'c-2', redirectUrl: '' }, base, {
      ...tools,
      fetch: refusing,
    });
    const error = await failure(Promise.resolve(trading));
    expect(error.message).toBe('Intercom gave no token: status 401.');
  });
});

test.each([
  [{}, 'https://api.intercom.io/me'],
  [{ region: 'eu' as const }, 'https://api.eu.intercom.io/me'],
  [{ region: 'au' as const }, 'https://api.au.intercom.io/me'],
  [
    { region: 'eu' as const, api_base_url: 'https://proxy.example/intercom/' },
    'https://proxy.example/intercom/me',
  ],
])('%j is called at %s', async (changes, address) => {
  const called: string[] = [];
  const { settings } = intercomAccount();
  const watching: typeof fetch = async (input) => {
    called.push(String(input));
    return Response.json({});
  };
  const by = intercomAccount({ settings: { ...settings, ...changes } });
  await failure(intercom.probe(by, { ...tools, fetch: watching }));
  expect(called).toEqual([address]);
});

test('what an operator does on Intercom’s pages names every topic and where to post', () => {
  const text =
    intercom.facets.guide?.({ name: 'Help bot', webhookUrl: 'https://parley.example/webhooks/c' }) ?? '';
  for (const words of [
    'Help bot',
    'https://parley.example/webhooks/c',
    'conversation.user.replied',
    'conversation.rating.added',
  ])
    expect(text).toContain(words);
  expect(intercom.facets.guide?.({ name: 'x', webhookUrl: null })).toContain('PUBLIC_URL');
});
