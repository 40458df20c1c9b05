import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { fetchSenderProfile } from '../../../connectors/slack/thread-history.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { peersFile } from '../../helpers/platforms/peers-file.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack/account.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack/stand-in.ts';
import { hooks } from './contract-hooks.ts';

const shape = peersFile('payloads/slack/shapes/api/users.info.json');
const peer = await openSlackStandIn();
const to = hooks.conversation;
const nobody = { name: null, email: null, language: null };
let accounts = 0;

function newAccount() {
  accounts += 1;
  const settings = slackSettings({ api_base_url: peer.url });
  return slackAccount({ id: `chan_introduce${accounts}`, settings });
}
const asked = () => peer.countOf('users.info');
const at = (time: string) => connectorTools({ now: () => new Date(time) });

beforeEach(() => {
  peer.calls.length = 0;
  peer.people.set('U0ANA0001', {
    name: 'ana',
    real_name: 'Ana Apple',
    locale: 'de-DE',
    profile: { real_name: 'Ana Apple', display_name: 'ana' },
  });
});

test('returns a user’s name and client language, and requests them once an hour', async () => {
  const account = newAccount();
  const ana = { id: 'U0ANA0001', to };
  const known = { name: 'Ana Apple', email: null, language: 'de' };
  expect(await fetchSenderProfile(ana, account, at('2026-09-21T12:00:00Z'))).toEqual(known);
  expect(await fetchSenderProfile(ana, account, at('2026-09-21T12:59:00Z'))).toEqual(known);
  expect(asked()).toBe(1);
  await fetchSenderProfile(ana, account, at('2026-09-21T13:00:00Z'));
  expect(asked()).toBe(2);
});

test('returns the email address if the app has the scope for it', async () => {
  peer.people.set('U0CLEO003', { profile: { display_name: 'cleo', email: 'cleo@garden.example' } });
  expect(await fetchSenderProfile({ id: 'U0CLEO003', to }, newAccount(), connectorTools())).toEqual({
    name: 'cleo',
    email: 'cleo@garden.example',
    language: null,
  });
});

test('omits an unconfirmed email address', async () => {
  peer.people.set('U0CLEO003', { is_email_confirmed: false, profile: { email: 'ceo@garden.example' } });
  expect(await fetchSenderProfile({ id: 'U0CLEO003', to }, newAccount(), connectorTools())).toEqual(nobody);
});

test.skipIf(shape === null)('reads only fields that recorded profiles have', () => {
  const told = z
    .object({
      user: z.object({
        real_name: z.string(),
        locale: z.string(),
        is_email_confirmed: z.boolean(),
        profile: z.object({ real_name: z.string(), display_name: z.string(), email: z.string() }),
      }),
    })
    .safeParse(JSON.parse(readFileSync(shape ?? '', 'utf8')));
  expect(told.error).toBeUndefined();
});

test('caches profiles per account', async () => {
  await fetchSenderProfile({ id: 'U0ANA0001', to }, newAccount(), connectorTools());
  peer.people.clear();
  expect(await fetchSenderProfile({ id: 'U0ANA0001', to }, newAccount(), connectorTools())).toEqual(nobody);
});

test('a missing scope is logged and stops requests for an hour', async () => {
  const account = newAccount();
  const tools = connectorTools();
  peer.trouble('users.info', { kind: 'refused', error: 'missing_scope' });
  for (const id of ['U0ANA0001', 'U0BEN0002'])
    expect(await fetchSenderProfile({ id, to }, account, tools)).toEqual(nobody);
  expect(asked()).toBe(1);
  expect(tools.warned).toEqual([expect.stringContaining('users:read')]);
});

test('caches nothing for a revoked token', async () => {
  const account = newAccount();
  const ana = { id: 'U0ANA0001', to };
  peer.trouble('users.info', { kind: 'refused', error: 'token_revoked' });
  await expect(fetchSenderProfile(ana, account, connectorTools())).rejects.toMatchObject({ account: true });
  expect(await fetchSenderProfile(ana, account, connectorTools())).toMatchObject({ name: 'Ana Apple' });
});

test('a rate limit stops requests but keeps cached profiles', async () => {
  const account = newAccount();
  const tools = connectorTools();
  await fetchSenderProfile({ id: 'U0ANA0001', to }, account, tools);
  peer.trouble('users.info', { kind: 'limited', retryAfter: 30 });
  const ben = { id: 'U0BEN0002', to };
  await expect(fetchSenderProfile(ben, account, tools)).rejects.toMatchObject({ advice: { retry: 'after' } });
  expect(await fetchSenderProfile(ben, account, tools)).toEqual(nobody);
  expect(await fetchSenderProfile({ id: 'U0ANA0001', to }, account, tools)).toMatchObject({
    name: 'Ana Apple',
  });
  expect(asked()).toBe(2);
  await fetchSenderProfile(ben, account, at('2026-09-21T12:00:30Z'));
  expect(asked()).toBe(3);
});
