import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { intercom } from '../../../connectors/intercom/intercom.ts';
import type { IntercomAccount } from '../../../connectors/intercom/manifest.ts';
import type { Json } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { Reply } from '../../../core/contract/outbound.ts';
import { plainReply } from '../../helpers/models/plain-reply.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { intercomAccount } from '../../helpers/platforms/intercom/account.ts';
import { openIntercomProxy } from '../../helpers/platforms/intercom/open-proxy.ts';
import { intercomSpec } from '../../helpers/platforms/intercom/spec.ts';
import { openIntercomStandIn } from '../../helpers/platforms/intercom/stand-in.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';

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
const send = (what = comment('<p>Hello</p>'), by = account) => intercom.open(by).deliver(what, to(), tools);
async function sendAll(reply: Partial<Reply>, by = account) {
  for (const one of intercom.open(by).render(plainReply(reply), to())) await send(one, by);
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

describe(`sending${intercomSpec === null ? ' (without Intercom’s OpenAPI description, because PEERS_DIR is not set)' : ''}`, () => {
  test('an answer has the bot’s teammate as its author, and the id of its part', async () => {
    const receipt = await send();
    expect(peer.partsOf(conversation)).toMatchObject([
      { part_type: 'comment', body: '<p>Hello</p>', author: { id: '7001' } },
    ]);
    expect(receipt).toEqual({ messageId: `${conversation}/${peer.partsOf(conversation)[0]?.id}` });
    expect(peer.calls).toMatchObject([{ version: '2.14' }]);
  });

  test('the button is a separate part after the answer', async () => {
    await sendAll({ text: 'At nine.', offers: ['human'] });
    expect(peer.partsOf(conversation)).toMatchObject([
      { part_type: 'comment', body: '<p>At nine.</p>' },
      { part_type: 'quick_reply', body: null },
    ]);
  });

  test('a handover adds a note and assigns the conversation to the team', async () => {
    await sendAll(
      { text: 'A person will answer.', handover: true },
      at(proxy.url, { handover_to: 'team:8001' }),
    );
    expect(peer.partsOf(conversation).map((one) => one.part_type)).toEqual(['comment', 'note', 'assignment']);
    expect(peer.conversations.get(conversation)).toMatchObject({ team: '8001' });
    expect(peer.seen(conversation)).toBe('A person will answer.');
  });

  test('a handover can leave the conversation unassigned', async () => {
    await peer.assign(conversation, { by: peer.us, type: 'admin', to: '7001' });
    await sendAll({ handover: true });
    expect(peer.conversations.get(conversation)).toMatchObject({ admin: null });
  });

  test('the author is the teammate of the setting admin_id', async () => {
    const error = await failure(send(comment('<p>Hi</p>'), at(proxy.url, { admin_id: '7009' })));
    expect(error.message).toBe('Admin not found');
    expect(peer.calls).toMatchObject([{ body: { admin_id: '7009' } }]);
  });
});

test.skipIf(intercomSpec === null)(
  "a call that Intercom's description does not know is found (in PEERS_DIR)",
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

test('skip_notifications is sent with API version 2.15', async () => {
  await intercom.open(at(peer.url, { skip_notifications: true })).deliver(comment('<p>Hi</p>'), to(), tools);
  expect(peer.calls).toMatchObject([{ version: '2.15', body: { skip_notifications: true } }]);
});

describe('a refused call', () => {
  test('is repeated at once as plain text if the markup is refused', async () => {
    await send(comment('<p>unclosed <odd>', 'a < b & c'));
    expect(peer.seen(conversation)).toBe('a < b & c');
    expect(tools.warned).toEqual(['message markup refused, plain text sent']);
  });

  test('omits the buttons if they are refused', async () => {
    peer.trouble({ kind: 'refused', status: 422, code: 'parameter_invalid', message: 'not supported' });
    const receipt = await send(part({ kind: 'buttons', options: [] }));
    expect(receipt).toEqual({ messageId: `${conversation}/` });
    expect(tools.warned).toEqual(['buttons refused, answer sent without']);
  });

  test('is retried in the next ten-second window, or after Retry-After', async () => {
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

  test('is never retried for a deleted conversation, which is unreachable', async () => {
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
  ])('is an account error for %i %s, and never retried', async (status, code, message) => {
    peer.trouble({ kind: 'refused', status, code, message });
    expect(await failure(send())).toMatchObject({ message, advice: { retry: 'never' }, account: true });
  });

  test('is an account error for an unknown token', async () => {
    const other = { ...account, credentials: { ...account.credentials, access_token: 'another' } };
    expect(await failure(send(comment('<p>Hi</p>'), other))).toMatchObject({ account: true });
  });
});

describe('a message without a confirmation from Intercom', () => {
  const find = (what: ReturnType<typeof part>, since = new Date(Date.now() - 60_000)) =>
    intercom.open(account).findSent?.({ part: what, to: to(), since }, tools);

  test.each([
    ['an answer', comment('<p>Open <b>until</b> six</p>'), comment('<p>Open until five</p>')],
    [
      'an answer in other markup',
      comment('<h9>Open until six</h9>', 'Open until six'),
      comment('<p>Open</p>'),
    ],
    ['a note', part({ kind: 'note', html: '<p>Open until six</p>' }), comment('<p>Open until six</p>')],
  ])('%s is found by its text', async (_, sought, another) => {
    await send(another);
    await peer.answerAs(conversation, peer.andy, '<p>Open <b>until</b> six</p>');
    expect(await find(sought)).toEqual([]);
    await send(sought);
    const last = peer.partsOf(conversation).at(-1);
    expect(await find(sought)).toEqual([{ messageId: `${conversation}/${last?.id}` }]);
    expect(await find(sought, new Date(Date.now() + 60_000))).toEqual([]);
  });

  test('an assignment is not searched for, and sent again', async () => {
    const given = part({ kind: 'assignment', type: 'team', id: '8001' });
    await send(given);
    expect(await find(given)).toEqual([]);
  });
});

describe('a temporary failure', () => {
  test.each(['garbled', 'intercepted', 'cut-before', 'cut-after'] as const)(
    '%s is retried later',
    async (kind) => {
      peer.trouble({ kind });
      const error = await failure(intercom.open(at(peer.url)).deliver(comment('<p>Hi</p>'), to(), tools));
      expect(error).toMatchObject({ advice: { retry: 'backoff' }, account: false });
      expect(peer.partsOf(conversation)).toHaveLength(kind === 'cut-after' ? 1 : 0);
    },
  );

  test('a refused connection is retried later, with an error that names the cause but not the token', async () => {
    const error = await failure(send(comment('<p>Hi</p>'), at(`http://127.0.0.1:${await freePort()}`)));
    expect(error).toMatchObject({ advice: { retry: 'backoff' } });
    expect(error.message).toMatch(/^Intercom cannot be reached: .*ECONNREFUSED/);
    expect(`${error.stack}${error.cause}`).not.toContain(peer.token);
  });

  test('a call is aborted when the process stops', async () => {
    const stop = new AbortController();
    peer.trouble({ kind: 'silent' });
    const ending = { ...tools, signal: stop.signal };
    const sending = failure(intercom.open(at(peer.url)).deliver(comment('<p>Hi</p>'), to(), ending));
    await vi.waitFor(() => expect(peer.calls).toHaveLength(1), { timeout: 10_000 });
    stop.abort();
    expect(await sending).toMatchObject({ advice: { retry: 'backoff' } });
  });
});

test('malformed content and addresses, and an unknown teammate, are rejected permanently', async () => {
  const unknown = { ...account, profile: {} };
  for (const sending of [
    send(part('x')),
    intercom.open(account).deliver(comment('x'), { lane: 'x', address: null }, tools),
    send(comment('<p>x</p>'), unknown),
  ])
    expect(await failure(sending)).toMatchObject({ advice: { retry: 'never' } });
});

describe('the bot’s teammate', () => {
  const profile = {
    admin_id: '7001',
    admin_name: 'Parley',
    app_id: 'ghi7jk2l',
    app_name: 'Garden shop',
    region: 'US',
    identity_verification: false,
  };

  test('is the owner of the token, or the teammate of admin_id', async () => {
    expect(await intercom.open(account).probe(tools)).toEqual(profile);
    expect(await intercom.open(at(proxy.url, { admin_id: '7002' })).probe(tools)).toEqual({
      ...profile,
      admin_id: '7002',
      admin_name: 'Andy Moss',
    });
  });

  test('an unknown teammate and an invalid token are rejected with Intercom’s message', async () => {
    expect((await failure(intercom.open(at(proxy.url, { admin_id: '9' })).probe(tools))).message).toBe(
      'Admin for admin_id not found',
    );
    const other = { ...account, credentials: { ...account.credentials, access_token: 'none' } };
    expect(await failure(intercom.open(other).probe(tools))).toMatchObject({
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

  test('selects the API host, and a wrong region is rejected with the right one', async () => {
    expect(await intercom.open(european).probe(toolsThat(me('EU')))).toMatchObject({ region: 'EU' });
    expect(asked.at(-1)).toBe('https://api.eu.intercom.io/me');
    expect((await failure(intercom.open(european).probe(toolsThat(me('US'))))).message).toBe(
      'The workspace is hosted in US. Set `region` to us.',
    );
  });

  test('is mentioned in the error for a refused token', async () => {
    const refusing = () =>
      Response.json(
        { type: 'error.list', errors: [{ code: 'unauthorized', message: 'Access Token Invalid' }] },
        { status: 401 },
      );
    expect(await failure(intercom.open(european).probe(toolsThat(refusing)))).toMatchObject({
      message: expect.stringMatching(/^Access Token Invalid \(.*Check `region`, which is eu\.\)$/),
      account: true,
    });
  });
});

describe('installation by OAuth', () => {
  const tenancyOf = (by: typeof account) => intercom.open(by).tenancy;
  const app = { ...account.credentials, client_id: 'the-app' };
  const base = { ...at(peer.url), credentials: app };
  const back = { redirectUrl: 'https://parley.example/back', state: 's1' };

  test('the tenant is the workspace of the token, or of the setting app_id', () => {
    expect(tenancyOf(account)?.tenant).toBe('ghi7jk2l');
    expect(tenancyOf(at(proxy.url, { app_id: 'other' }))?.tenant).toBe('other');
    expect(tenancyOf({ ...account, profile: {} })?.tenant).toBeNull();
  });

  test('the authorisation page is in the workspace’s region', () => {
    const eu = { ...base, settings: { ...base.settings, region: 'eu' as const } };
    expect(tenancyOf(eu)?.oauth?.authoriseUrl(back)).toBe(
      'https://app.eu.intercom.com/oauth?client_id=the-app&state=s1&redirect_uri=https%3A%2F%2Fparley.example%2Fback',
    );
    expect(() => tenancyOf(account)?.oauth?.authoriseUrl(back)).toThrow(/client_id/);
  });

  test('a code is exchanged for the credentials of a separate account', async () => {
    const made = await tenancyOf(base)?.oauth?.exchange(
      { code: 'c-1', redirectUrl: back.redirectUrl },
      tools,
    );
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

  test('an invalid code is reported without the code', async () => {
    const refusing: typeof fetch = async () => Response.json({ errors: [] }, { status: 401 });
    const trading = tenancyOf(base)?.oauth?.exchange(
      { code: 'c-2', redirectUrl: '' },
      {
        ...tools,
        fetch: refusing,
      },
    );
    const error = await failure(Promise.resolve(trading));
    expect(error.message).toBe('Intercom returned no token: status 401.');
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
  await failure(intercom.open(by).probe({ ...tools, fetch: watching }));
  expect(called).toEqual([address]);
});

test('the guide names every topic that is handled', () => {
  const { topics = '' } = intercom.guideValues?.({ name: 'Help bot', webhookUrl: null }) ?? {};
  expect(topics.split('\n')).toEqual(
    expect.arrayContaining(['conversation.user.replied', 'conversation.rating.added']),
  );
});
