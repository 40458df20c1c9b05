import { afterAll, beforeEach, expect, test } from 'vitest';
import { deliver, findSent } from '../../../../connectors/twilio/messaging/deliver.ts';
import type { Json } from '../../../../core/contract/account.ts';
import { connectorTools } from '../../../helpers/platforms/connector-tools.ts';
import { twilioAccount } from '../../../helpers/platforms/twilio/account.ts';
import { openTwilioPeer } from '../../../helpers/platforms/twilio/peer.ts';

const peer = await openTwilioPeer();
afterAll(() => peer.close());

const { settings } = twilioAccount();
const account = twilioAccount({
  credentials: { account_sid: peer.account.sid, auth_token: peer.account.token },
  settings: { ...settings, from: peer.number, api_base_url: peer.url },
});
const since = new Date(Date.now() - 60_000);
const to = (visitor: string, prefix = '') => ({
  lane: visitor,
  address: { visitor: prefix + visitor, number: prefix + peer.number, heard: null },
});
const send = (content: Json, where = to('+46700100200')) =>
  deliver({ content }, where, account, connectorTools());
const find = (content: Json, where = to('+46700100200'), from = since) =>
  findSent({ part: { content }, to: where, since: from }, account, connectorTools());

beforeEach(() => {
  peer.sent.splice(0);
  peer.calls.splice(0);
});

test.each(['', 'whatsapp:'])('finds a message by its text after a lost response (%s)', async (prefix) => {
  const where = to('+46700100200', prefix);
  await send({ body: 'Open until five.' }, where);
  await send({ body: 'Open until six.' }, to('+46700100201', prefix));
  expect(await find({ body: 'Open until six.' }, where)).toEqual([]);
  peer.trouble('cut-after');
  await expect(send({ body: 'Open until six.' }, where)).rejects.toThrow();
  expect(await find({ body: 'Open until six.' }, where)).toEqual([{ messageId: peer.sent.at(-1)?.sid }]);
});

test('returns all messages with the same text, oldest first, since the given time', async () => {
  const first = await send({ body: 'Noted.' });
  const second = await send({ body: 'Noted.' });
  expect(await find({ body: 'Noted.' })).toEqual([first, second]);
  expect(await find({ body: 'Noted.' }, undefined, new Date(Date.now() + 60_000))).toEqual([]);
});

test('finds no template, because its rendered text is unknown', async () => {
  const template = { contentSid: `HX${'1'.repeat(32)}`, variables: { 1: 'Ana' } };
  await send(template);
  expect(await find(template)).toEqual([]);
  expect(peer.calls.filter(({ fields }) => fields.PageSize !== undefined)).toHaveLength(0);
});
