import type { ConversationRef } from '../../../core/contract/account.ts';
import type { Connector } from '../../../core/contract/connector.ts';
import type { MessagingWindow, Typing } from '../../../core/contract/facets.ts';
import type { Budget, OutboundPart, Reply } from '../../../core/contract/outbound.ts';
import { renderPlainText } from '../../shared/markdown/blocks.ts';
import { parseMarkdown } from '../../shared/markdown/read-markdown.ts';
import { createTwilioClient } from '../api-client.ts';
import { createOutcome, deliver, findSent, parsePart } from '../messaging/deliver.ts';
import { fetchFile } from '../messaging/files.ts';
import { parseAddress } from '../messaging/identifiers.ts';
import { type Medium, probeSender } from '../messaging/medium.ts';
import { createNormaliser } from '../messaging/normalise.ts';
import { createMessageWebhook } from '../messaging/webhook.ts';
import { about } from './about.ts';
import { manifest, type WhatsappAccount, type WhatsappSettings } from './manifest.ts';
import { render } from './render.ts';

/** WhatsApp refuses templates of more than 1,024 characters including their variables, so the text is cut. */
const MAX_TEXT_CHARS = 700;

export const createReplyWindow = ({ settings }: WhatsappAccount): MessagingWindow => ({
  lastsMs: 24 * 60 * 60 * 1_000,
  reason:
    "WhatsApp accepts free text only within 24 hours after the visitor's last message. Wait for their next message, or set settings.templates.reply of the channel to a template that WhatsApp has approved. It is sent instead of the reply.",
  appliesTo: () => true,
  renderTemplate: (reply) => findTemplate(reply, settings),
  isTimeless: (part) => 'contentSid' in parsePart(part),
});

function findTemplate({ text }: Pick<Reply, 'text'>, { templates }: WhatsappSettings): OutboundPart | null {
  if (templates?.reply === undefined) return null;
  const { content_sid: contentSid, variables = { 1: '{text}' } } = templates.reply;
  const words = singleLine(text);
  const filled = Object.entries(variables).map(([name, value]) => [
    name,
    value.replaceAll('{text}', () => words),
  ]);
  return { content: { contentSid, variables: Object.fromEntries(filled) } };
}

/** Variables of a template are a single line and never empty. */
function singleLine(markdown: string): string {
  const line = renderPlainText(parseMarkdown(markdown, { tableColumns: 0 }))
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut =
    line.length <= MAX_TEXT_CHARS ? line : `${line.slice(0, MAX_TEXT_CHARS).replace(/(?<!\s)\s+\S*$/, '')}…`;
  return cut || '…';
}

/**
 * Twilio handles no keywords for WhatsApp. Words that only carriers treat as an opt-out can be answers, so they are not
 * listed.
 */
export const whatsappMedium: Medium = {
  prefix: 'whatsapp:',
  words: {
    STOP: 'opt-out',
    STOPALL: 'opt-out',
    UNSUBSCRIBE: 'opt-out',
    OPTOUT: 'opt-out',
    REVOKE: 'opt-out',
    START: 'resume',
    UNSTOP: 'resume',
    YES: 'resume',
    HELP: 'help',
    INFO: 'help',
  },
};

const createTyping = (account: WhatsappAccount): Typing => ({
  lastsMs: 25_000,
  marksRead: true,

  async show(to, tools) {
    const { heard } = parseAddress(to);
    if (heard === null) return;
    const twilio = await createTwilioClient(account, tools);
    await twilio.messaging.v2.typingIndicator.create({
      channel: 'whatsapp',
      messageId: heard,
    });
  },
});

const normalise = createNormaliser(whatsappMedium);

export const whatsapp: Connector<WhatsappAccount['credentials'], WhatsappSettings> = {
  about,
  manifest,
  open: (account) => ({
    intake: 'webhook',
    webhook: createMessageWebhook(account, whatsappMedium),
    listen: null,
    probe: (tools) => probeSender(account, tools),
    normalise: (native, receivedAt) => normalise(native, account, receivedAt),
    render,
    deliver: (part, to, tools) => deliver(part, to, account, tools),
    budgets,
    typing: createTyping(account),
    window: createReplyWindow(account),
    fetchFile: (reference, tools) => fetchFile(reference, account, tools),
    findSent: (sought, tools) => findSent(sought, account, tools),
    outcome: createOutcome(account),
  }),
};

/** Twilio's limit for a WhatsApp number is 80 messages a second. */
const NUMBER = { everyMs: 15, burst: 20 };
/** WhatsApp allows one message in six seconds to the same visitor, after a burst of 45. */
const VISITOR = { everyMs: 6_000, burst: 30 };

function budgets(to: ConversationRef): readonly Budget[] {
  const { visitor, number } = parseAddress(to);
  return [
    { key: `to:${visitor}`, ...VISITOR },
    { key: `from:${number}`, ...NUMBER },
  ];
}
