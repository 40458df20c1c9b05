import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { introduce } from '../../../connectors/slack/thread-history.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { peersFile } from '../../helpers/platforms/peers-file.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack-account.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack-stand-in.ts';
import { slackHooks } from './contract-hooks.ts';

const shape = peersFile('payloads/slack/shapes/api/users.info.json');
const peer = await openSlackStandIn();
const to = slackHooks.conversation;
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

test('somebody is known by his name and the language of his screen, and asked about once an hour', async () => {
  const account = newAccount();
  const ana = { id: 'U0ANA0001', to };
  const known = { name: 'Ana Apple', email: null, language: 'de' };
  expect(await introduce(ana, account, at('2026-09-21T12:00:00Z'))).toEqual(known);
  expect(await introduce(ana, account, at('2026-09-21T12:59:00Z'))).toEqual(known);
  expect(asked()).toBe(1);
  await introduce(ana, account, at('2026-09-21T13:00:00Z'));
  expect(asked()).toBe(2);
});

test('an address is told where the app was given the scope for it', async () => {
  peer.people.set('U0CLEO003', { profile: { display_name: 'cleo', email: 'cleo@garden.example' } });
  expect(await introduce({ id: 'U0CLEO003', to }, newAccount(), connectorTools())).toEqual({
    name: 'cleo',
    email: 'cleo@garden.example',
    language: null,
  });
});

test('an address that nobody has confirmed is not taken for his', async () => {
  peer.people.set('U0CLEO003', { is_email_confirmed: false, profile: { email: 'ceo@garden.example' } });
  expect(await introduce({ id: 'U0CLEO003', to }, newAccount(), connectorTools())).toEqual(nobody);
});

test.skipIf(shape === null)('what is read of somebody is what Slack tells, by its recordings', () => {
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

test('what one account was told is not another one’s', async () => {
  await introduce({ id: 'U0ANA0001', to }, newAccount(), connectorTools());
  peer.people.clear();
  expect(await introduce({ id: 'U0ANA0001', to }, newAccount(), connectorTools())).toEqual(nobody);
});

test('without the scope nobody is asked about for an hour, and the log says which one it is', async () => {
  const account = newAccount();
  const tools = connectorTools();
  peer.trouble('users.info', { kind: 'refused', error: 'missing_scope' });
  for (const id of ['U0ANA0001', 'U0BEN0002'])
    expect(await introduce({ id, to }, account, tools)).toEqual(nobody);
  expect(asked()).toBe(1);
  expect(tools.warned).toEqual([expect.stringContaining('users:read')]);
});

test('of a token that was revoked nothing is remembered', async () => {
  const account = newAccount();
  const ana = { id: 'U0ANA0001', to };
  peer.trouble('users.info', { kind: 'refused', error: 'token_revoked' });
  await expect(introduce(ana, account, connectorTools())).rejects.toMatchObject({ account: true });
  expect(await introduce(ana, account, connectorTools())).toMatchObject({ name: 'Ana Apple' });
});

test('while Slack holds us back nobody is asked about, but who is known stays known', async () => {
  const account = newAccount();
  const tools = connectorTools();
  await introduce({ id: 'U0ANA0001', to }, account, tools);
  peer.trouble('users.info', { kind: 'limited', retryAfter: 30 });
  const ben = { id: 'U0BEN0002', to };
  await expect(introduce(ben, account, tools)).rejects.toMatchObject({ advice: { retry: 'after' } });
  expect(await introduce(ben, account, tools)).toEqual(nobody);
  expect(await introduce({ id: 'U0ANA0001', to }, account, tools)).toMatchObject({ name: 'Ana Apple' });
  expect(asked()).toBe(2);
  await introduce(ben, account, at('2026-09-21T12:00:30Z'));
  expect(asked()).toBe(3);
});
