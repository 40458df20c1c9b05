import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { defineConnector } from '../../../../connectors/define-connector.ts';
import type { Account, Json, Tools } from '../../../../core/contract/account.ts';
import { ConnectorError } from '../../../../core/contract/connector-error.ts';
import type { InboundEvent } from '../../../../core/contract/inbound.ts';
import type { WebhookReading } from '../../../../core/contract/webhook.ts';
import { fakeAbout } from './about.ts';

const credentials = z.object({
  token: z.string().min(1).describe('The token that the platform gave.'),
  signing_key: z.string().describe('What its calls are signed with.'),
  client_secret: z.string().optional().describe('What a code is exchanged with.'),
  smtp: z.object({ port: z.number() }).optional().describe('Where mail goes.'),
});
const settings = z.object({
  api_base_url: z.url().default('https://platform.example'),
  mode: z.enum(['webhook', 'polling']).default('webhook').describe('How events come.'),
  team: z.string().optional().describe('Whose it is.'),
});
type FakeAccount = Account<z.output<typeof credentials>, z.output<typeof settings>>;

const posted = z.discriminatedUnion('type', [
  z.object({ type: z.literal('challenge'), challenge: z.string() }),
  z.object({
    type: z.literal('event'),
    id: z.string(),
    lane: z.string(),
    team: z.string().optional(),
    text: z.string().optional(),
  }),
]);
const grantSchema = z.object({ team: z.string(), name: z.string(), token: z.string() });
const refused = z.object({ error: z.string() });

/** How the platform signs what it posts. */
export function fakeSignature(key: string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

/** A channel that posts to its `api_base_url`, and receives signed deliveries. */
export const fakeConnector = defineConnector<FakeAccount['credentials'], FakeAccount['settings']>({
  about: fakeAbout,
  manifest: {
    contract: 1,
    channel: 'fake',
    credentials,
    settings,
    limits: { textChars: 100 },
    appCredentials: ['signing_key'],
  },
  open: (account) => ({
    intake: account.settings.mode === 'webhook' ? 'webhook' : 'listener',
    webhook: {
      verify({ headers, body }) {
        const given = Buffer.from(headers['x-signature'] ?? '');
        const expected = Buffer.from(fakeSignature(account.credentials.signing_key, body));
        return given.length === expected.length && timingSafeEqual(given, expected);
      },
      read: ({ body }) => read(Buffer.from(body).toString()),
    },
    listen: async () => {},
    probe: async (tools) => z.record(z.string(), z.json()).parse(await call('/probe', account, tools)),
    normalise: (native) => eventsOf(native),
    render: ({ text }) => [{ content: text }],
    async deliver({ content }, { lane }, tools) {
      await call('/send', account, tools, { lane, text: content });
      return { messageId: '1' };
    },
    budgets: () => [],
    tenancy: {
      tenant: account.settings.team ?? null,
      oauth: {
        authoriseUrl(back) {
          const { client_secret, token } = account.credentials;
          if (client_secret === undefined) {
            const words = `Add client_secret to the credentials beside ${token}.`;
            throw new ConnectorError(words, { advice: { retry: 'never' } });
          }
          const { redirectUrl, state } = back;
          return `${account.settings.api_base_url}/authorise?${new URLSearchParams({ redirect_uri: redirectUrl, state })}`;
        },
        async exchange(grant, tools) {
          const { team, name, token } = grantSchema.parse(await call('/exchange', account, tools, grant));
          return {
            tenant: team,
            name,
            credentials: { ...account.credentials, token },
            settings: { ...account.settings, team },
          };
        },
      },
    },
    async registerWebhook(tools) {
      await call('/enrol', account, tools);
    },
    async prepare(tools) {
      await call('/prepare', account, tools);
    },
    async unregisterWebhook(tools) {
      await call('/retire', account, tools);
    },
  }),
});

function read(body: string): WebhookReading {
  const json: unknown = body.startsWith('{') ? JSON.parse(body) : null;
  const { data, success } = posted.safeParse(json);
  if (!success) return { kind: 'ignored', because: 'not understood', respond: { status: 200 } };
  if (data.type === 'challenge') {
    return { kind: 'handshake', respond: { status: 200, contentType: 'text/plain', body: data.challenge } };
  }
  const respond = { status: 202, contentType: 'application/json', body: '{"stored":true}' };
  const { id, lane, team } = data;
  const delivery = { id, lane, native: z.json().parse(data), ...(team !== undefined && { tenant: team }) };
  return { kind: 'deliveries', deliveries: [delivery], respond };
}

function eventsOf(native: Json): readonly InboundEvent[] {
  const { data } = posted.safeParse(native);
  if (data?.type !== 'event' || data.text === undefined) return [];
  const { id, lane, text } = data;
  return [
    {
      type: 'message',
      conversation: { lane, address: { lane } },
      sentAt: new Date(0),
      sender: { id: 'ann', name: 'Ann', email: null, phone: null, language: null, kind: 'person' },
      messageId: id,
      text,
      attachments: [],
      addressed: true,
      command: null,
    },
  ];
}

async function call(
  path: string,
  account: FakeAccount,
  { fetch }: Tools,
  body: object = { url: account.webhookUrl, secret: account.secret },
): Promise<unknown> {
  const response = await fetch(`${account.settings.api_base_url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.credentials.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  throw new ConnectorError(refused.parse(answer).error, { advice: { retry: 'never' }, account: true });
}
