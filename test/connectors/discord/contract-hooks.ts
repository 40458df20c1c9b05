import { generateKeyPairSync, sign } from 'node:crypto';
import type { DiscordAccount } from '../../../connectors/discord/manifest.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { discordFixture } from '../../helpers/platforms/discord/fixture.ts';
import { readDiscordMarkdown } from '../../helpers/platforms/discord/markdown.ts';
import type { ContractHooks } from '../contract/contract-hooks.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const hexKey = (key: typeof publicKey) =>
  key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

/** The account of the bot in the fixtures. */
export const fixtureAccount: DiscordAccount = {
  id: 'chan_discord',
  credentials: {
    bot_token: `${Buffer.from('700000000000000001').toString('base64url')}.GtEsTs.the-secret-token`,
    application_id: '700000000000000001',
    public_key: hexKey(publicKey),
  },
  settings: { enabled: true, mode: 'gateway' },
  secret: 'unused',
  webhookUrl: 'https://parley.example/webhooks/chan_discord',
  profile: { id: '700000000000000001', username: 'parley', name: 'Parley', message_content: false },
};

/** Returns a request with Discord's signature. */
export function postedByDiscord(
  body: string,
  { at = Date.now(), key = privateKey, signedBody = body } = {},
): RawRequest {
  const timestamp = String(Math.floor(at / 1_000));
  const headers = {
    'content-type': 'application/json',
    'x-signature-timestamp': timestamp,
    'x-signature-ed25519': sign(null, Buffer.from(timestamp + signedBody), key).toString('hex'),
  };
  return { method: 'POST', path: '/webhooks/chan_discord', headers, query: {}, body: Buffer.from(body) };
}

function withHeaders(request: RawRequest, headers: RawRequest['headers']): RawRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

export const hooks: ContractHooks = {
  account: fixtureAccount,
  webhook: {
    signed: (body) => postedByDiscord(body),
    forged: (body) => [
      postedByDiscord(body, { key: other.privateKey }),
      postedByDiscord(body, { signedBody: `${body} ` }),
      postedByDiscord(body, { at: Date.now() - 3_600_000 }),
      withHeaders(postedByDiscord(body), { 'x-signature-timestamp': '0' }),
      withHeaders(postedByDiscord(body), { 'x-signature-ed25519': undefined }),
      withHeaders(postedByDiscord(body), { 'x-signature-ed25519': '' }),
      withHeaders(postedByDiscord(body), { 'x-signature-ed25519': 'not hexadecimal' }),
    ],
  },
  question: discordFixture('command-ask'),
  own: discordFixture('text-from-us'),
  unknown: discordFixture('reaction'),
  conversation: {
    lane: '920000000000000001',
    address: { kind: 'thread', channel: '920000000000000001', interaction: null },
  },
  faultOf({ content }) {
    const text =
      typeof content === 'object' && content !== null && 'text' in content ? String(content.text) : '';
    if (text.length > 2_000) return 'longer than 2,000';
    if (text.trim() === '') return 'nothing to read';
    return readDiscordMarkdown(text).faults[0] ?? null;
  },
  limited: {
    respond: () =>
      Response.json(
        { message: 'You are being rate limited.', retry_after: 6.5, global: false },
        { status: 429, headers: { 'retry-after': '7' } },
      ),
    afterMs: 6_500,
  },
  unauthorised: () => Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 }),
};
