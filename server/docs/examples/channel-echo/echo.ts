import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isSameSecret, parseJson } from '../../../../connectors/shared/http.ts';
import { renderPlainText } from '../../../../connectors/shared/markdown/blocks.ts';
import { parseReply } from '../../../../connectors/shared/markdown/read-markdown.ts';
import { splitBlocks } from '../../../../connectors/shared/markdown/split-blocks.ts';
import { withPersonLine } from '../../../../connectors/shared/offer-texts.ts';
import type { Json } from '../../../../core/contract/account.ts';
import type { Channel, Connector } from '../../../../core/contract/connector.ts';
import { ConnectorError } from '../../../../core/contract/connector-error.ts';
import type { InboundEvent } from '../../../../core/contract/inbound.ts';
import { type Reply, withFileLinks } from '../../../../core/contract/outbound.ts';
import type { HttpAnswer } from '../../../../core/contract/webhook.ts';
import { about } from './about.ts';
import { callEcho } from './api-client.ts';
import { type EchoAccount, manifest } from './manifest.ts';

/** One event of Echo. Fields that Parley does not use are absent. */
const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  room: z.string(),
  message: z.object({ id: z.string(), text: z.string(), sent_at: z.iso.datetime() }).optional(),
  from: z.object({ id: z.string(), name: z.string(), bot: z.boolean() }).optional(),
});

const respond: HttpAnswer = { status: 200 };

/** The width of a table in characters before it is shown as a list. */
const TABLE_COLUMNS = 60;

/**
 * The connector of a messenger with rooms. Its platform posts signed events, and takes messages by an API. Start a channel
 * of your own from it: `npm run new -- channel NAME`.
 */
export const echo: Connector<EchoAccount['credentials'], EchoAccount['settings']> = {
  about,
  manifest,
  open: (account): Channel => ({
    intake: 'webhook',
    listen: null,
    webhook: {
      verify({ headers, body }) {
        const signature = createHmac('sha256', account.credentials.signing_key).update(body).digest('hex');
        return isSameSecret(headers['x-echo-signature'], signature);
      },
      read({ body }) {
        const native = parseJson(body);
        const event = eventSchema.safeParse(native);
        if (!event.success || native === undefined)
          return { kind: 'ignored', because: 'the body is not an event', respond };
        const { id, room } = event.data;
        return { kind: 'deliveries', deliveries: [{ id, lane: room, native }], respond };
      },
    },
    normalise: (native, receivedAt) => [normalise(native, account, receivedAt)],
    render: (reply) => renderParts(reply).map((text) => ({ content: { text } })),
    async deliver({ content }, { address }, tools) {
      const part = z.object({ text: z.string() }).safeParse(content);
      const place = z.object({ room: z.string() }).safeParse(address);
      if (!part.success || !place.success)
        throw new ConnectorError('The stored part is not an Echo message.', { advice: { retry: 'never' } });
      const path = `/v1/rooms/${encodeURIComponent(place.data.room)}/messages`;
      const result = z.object({ id: z.string() });
      const { id } = await callEcho({ method: 'POST', path, body: part.data, result }, account, tools);
      return { messageId: id };
    },
    // Echo allows one message a second in a room, and ten in all.
    budgets: ({ lane }) => [
      { key: `room:${lane}`, everyMs: 1_000, burst: 1 },
      { key: 'all', everyMs: 100, burst: 10 },
    ],
    async probe(tools) {
      const result = z.object({ id: z.string(), name: z.string() });
      return callEcho({ method: 'GET', path: '/v1/me', result }, account, tools);
    },
  }),
};

function normalise(native: Json, { profile }: EchoAccount, receivedAt: Date): InboundEvent {
  const parsed = eventSchema.safeParse(native);
  if (!parsed.success) return { type: 'unsupported', nativeType: 'unknown' };
  const { type, room, message, from } = parsed.data;
  if (type !== 'message' || message === undefined || from === undefined)
    return { type: 'unsupported', nativeType: type || 'unknown' };
  const isOwn = from.id === profile.id;
  return {
    type: 'message',
    conversation: { lane: room, address: { room } },
    sentAt: new Date(message.sent_at || receivedAt),
    sender: {
      ...{ id: from.id, name: from.name, email: null, phone: null, language: null },
      kind: isOwn ? 'self' : from.bot ? 'machine' : 'person',
    },
    messageId: message.id,
    text: message.text,
    attachments: [],
    // Every message in a room of the bot is for it.
    addressed: true,
    command: null,
  };
}

/** Splits a reply into texts that Echo takes. It shows no markup. */
function renderParts(reply: Reply): readonly string[] {
  const blocks = parseReply(withPersonLine(withFileLinks(reply)), TABLE_COLUMNS);
  const fits = (some: Parameters<typeof renderPlainText>[0]) =>
    renderPlainText(some).length <= manifest.limits.textChars;
  const texts = splitBlocks(blocks, fits).map(renderPlainText);
  return texts.length > 0 ? texts : ['…'];
}
