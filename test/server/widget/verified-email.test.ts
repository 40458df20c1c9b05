import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openWidgetServer } from '../../helpers/servers/open-widget-server.ts';

const server = await openWidgetServer();
const question = 'How many working days until parcels arrive?';
const signed = 'grace@customer.example';
const claimed = 'ceo@victim.example';

const listSchema = z.object({
  conversations: z.array(z.object({ id: z.string(), customer: z.record(z.string(), z.unknown()) })),
});
const sessionSchema = z.object({ session: z.string(), visitor: z.record(z.string(), z.unknown()) });

async function openShop() {
  const shop = await server.openShop();
  const secret = shop.identitySecret;
  const integrate = (url: string) =>
    server.app.inject({ url, headers: { authorization: `Bearer ${shop.key}` } });
  return {
    ...shop,
    userWith: (fields: object = {}, user_id = 'u-1') => ({
      user: { user_id, hash: createHmac('sha256', secret).update(user_id).digest('hex'), ...fields },
    }),
    tokenWith: async (claims: object = {}, subject = 'u-1') => ({
      verification_token: await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(subject)
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(secret)),
    }),
    async open(body: object) {
      return sessionSchema.parse(await (await shop.send('/session', { method: 'POST', body })).json());
    },
    /** Returns the verification of customers' addresses in the list and in a single conversation. */
    async customers(filter = '') {
      const url = `/v1/conversations?workspace_id=${shop.id}${filter}`;
      const { conversations } = listSchema.parse((await integrate(url)).json());
      for (const { id, customer } of conversations)
        expect((await integrate(`/v1/conversations/${id}`)).json().customer).toEqual(customer);
      return conversations.map(({ customer }) => [customer.email, customer.email_verified]);
    },
  };
}

test('an address with a hash is unverified: no conversation is listed under a verified customer', async () => {
  const shop = await openShop();
  const { session, visitor } = await shop.open(shop.userWith({ email: claimed, name: 'The CEO' }));
  expect(visitor).toMatchObject({ verified: true, email: claimed, email_verified: false });
  await shop.say(session, question);
  expect(await shop.customers(`&email=${claimed}`)).toEqual([[claimed, false]]);
});

test('an address in a token is verified', async () => {
  const shop = await openShop();
  const { session, visitor } = await shop.open(await shop.tokenWith({ email: signed }));
  expect(visitor).toMatchObject({ verified: true, email: signed, email_verified: true });
  await shop.say(session, question);
  expect(await shop.customers()).toEqual([[signed, true]]);
});

test('an address next to a token without one is unverified', async () => {
  const shop = await openShop();
  const body = { ...(await shop.tokenWith()), user: { user_id: 'u-1', email: claimed } };
  expect((await shop.open(body)).visitor).toMatchObject({ email: claimed, email_verified: false });
});

test('a visitor without an address has neither a verified nor an unverified one', async () => {
  const shop = await openShop();
  const { session, visitor } = await shop.open({});
  expect(visitor).toMatchObject({ verified: false, email: null, email_verified: null });
  await shop.say(session, question);
  expect(await shop.customers()).toEqual([[null, null]]);
});

test('an unverified address does not replace a verified one, in widget and API', async () => {
  const shop = await openShop();
  const first = await shop.open(await shop.tokenWith({ email: signed, name: 'Grace' }));
  await shop.say(first.session, question);
  const again = await shop.open(shop.userWith({ email: claimed, name: 'The CEO' }));
  expect(again.visitor).toMatchObject({ email: signed, email_verified: true, name: 'Grace' });
  await shop.say(again.session, question);
  expect(await shop.customers()).toEqual([[signed, true]]);
  const moved = await shop.open(await shop.tokenWith({ email: 'grace@new.example' }));
  expect(moved.visitor).toMatchObject({ email: 'grace@new.example', email_verified: true });

  const asked = await server.query(shop.key, {
    query: question,
    ...(await shop.tokenWith({ email: signed }, 'u-2')),
  });
  const { conversation_id } = asked.json();
  await server.query(shop.key, {
    query: question,
    conversation_id,
    ...shop.userWith({ email: claimed }, 'u-2'),
  });
  expect(await shop.customers(`&email=${claimed}`)).toEqual([]);
  expect(await shop.customers('&channel=api')).toEqual([[signed, true]]);
});

test('a verified address replaces an unverified one', async () => {
  const shop = await openShop();
  const { session } = await shop.open(shop.userWith({ email: claimed }));
  await shop.say(session, question);
  const proven = await shop.open(await shop.tokenWith({ email: signed }));
  await shop.say(proven.session, question);
  expect(await shop.customers()).toEqual([[signed, true]]);
});

test('an address that a visitor leaves is unverified', async () => {
  const shop = await openShop();
  const { session } = await shop.open({});
  await shop.say(session, question);
  const body = { email: claimed, name: 'The CEO' };
  expect((await shop.send('/contact', { method: 'POST', session, body })).status).toBe(204);
  expect(await shop.customers()).toEqual([[claimed, false]]);
  await shop.say(session, question);
  expect(await shop.customers()).toEqual([[claimed, false]]);
});

test('messages of an anonymous visitor move to the verified visitor with the status of the address', async () => {
  const shop = await openShop();
  const { session } = await shop.open({});
  await shop.say(session, question);
  const told = { ...shop.userWith({ email: claimed }), previous_session: session };
  await shop.open(told);
  expect(await shop.customers()).toEqual([[claimed, false]]);
});
