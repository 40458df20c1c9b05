import { expect, test } from 'vitest';
import { z } from 'zod';
import { playWhatsappLife } from '../../../helpers/platforms/twilio/whatsapp-life.ts';
import { openTwilioServer } from '../../../helpers/servers/channels/open-twilio-server.ts';

const replySchema = z.object({ code: z.string().optional(), detail: z.string().optional() });
const windowSchema = z.object({
  reply_window: z.object({ open: z.boolean(), closes_at: z.string().nullable() }).nullable(),
});
const template = `HX${'7'.repeat(32)}`;
const because =
  "WhatsApp accepts free text only within 24 hours after the visitor's last message. Wait for their next message, or set settings.templates.reply of the channel to a template that WhatsApp has approved. It is sent instead of the reply.";
const visitor = 'whatsapp:+46700100200';

test('a conversation over several days: open window, closed, rejected, template, open again, too late', async () => {
  const time = { now: new Date('2026-09-21T09:00:00Z') };
  const server = await openTwilioServer({ channel: 'whatsapp', clock: { now: () => time.now } });
  const { twilio, workspace, operate, integrate, conversationOf, settled, pause, parts } = server;
  const told: string[] = [];
  const stage = {
    twilio,
    time,
    settled,
    pause,
    async reply(content: string) {
      const id = await conversationOf(visitor);
      const response = await operate('POST', `/workspaces/${workspace.id}/conversations/${id}/reply`, {
        content,
        author_email: 'ann@example.com',
      });
      return { status: response.statusCode, ...replySchema.parse(response.json()) };
    },
    async window() {
      const response = await integrate('GET', `/conversations/${await conversationOf(visitor)}`);
      return windowSchema.parse(response.json()).reply_window;
    },
    async setTemplate(content_sid: string | null) {
      const path = `/workspaces/${workspace.id}/channels/${server.channel.id}`;
      await operate('PATCH', path, {
        settings: { templates: content_sid === null ? null : { reply: { content_sid } } },
      });
    },
    async lastPart() {
      return (await parts()).at(-1) ?? { status: 'none', failure: null };
    },
  };
  await playWhatsappLife(stage, (line) => void told.push(line));
  expect(told).toEqual([
    '2026-09-21 09:00  visitor: When are you open?',
    `2026-09-21 09:00    -> text: A machine answers from our help pages. You can ask for a person at any time.\n\nThe shop is open on weekdays from nine to five.\n\n📄 Opening hours`,
    '2026-09-21 09:00    window: open, closes 2026-09-22T09:00:00.000Z',
    '2026-09-21 12:00  person: Is there anything else?',
    '2026-09-21 12:00    201 accepted',
    '2026-09-21 12:00    -> text: Is there anything else?',
    '2026-09-21 12:00    window: open, closes 2026-09-22T09:00:00.000Z',
    '2026-09-22 18:00    window: closed, closed 2026-09-22T09:00:00.000Z',
    '2026-09-22 18:00  person: We have the pot that you asked for.',
    `2026-09-22 18:00    409 channel_window_closed: ${because}`,
    '2026-09-22 18:00    window: closed, closed 2026-09-22T09:00:00.000Z',
    `2026-09-22 18:00  operator: templates.reply = ${template}`,
    '2026-09-22 18:00  person: We have the pot that you asked for.',
    '2026-09-22 18:00    201 accepted',
    `2026-09-22 18:00    -> template: ${template} {"1":"We have the pot that you asked for."}`,
    '2026-09-22 18:00    window: closed, closed 2026-09-22T09:00:00.000Z',
    '2026-09-23 08:00  visitor: Great! Please keep it for me.',
    '2026-09-23 08:00    window: open, closes 2026-09-24T08:00:00.000Z',
    '2026-09-23 09:00  person: It is kept **for you**.',
    '2026-09-23 09:00    201 accepted',
    '2026-09-23 09:00    -> text: It is kept *for you*.',
    '2026-09-23 09:00    window: open, closes 2026-09-24T08:00:00.000Z',
    '2026-09-23 09:00  sending stands still',
    '2026-09-23 09:00  person: Your pot is here until Saturday.',
    '2026-09-23 09:00    201 accepted',
    '2026-09-23 09:00    window: open, closes 2026-09-24T08:00:00.000Z',
    '2026-09-24 11:00  a day later sending goes on: the window has closed meanwhile',
    `2026-09-24 11:00    -> template: ${template} {"1":"Your pot is here until Saturday."}`,
    '2026-09-24 11:00    window: closed, closed 2026-09-24T08:00:00.000Z',
    '2026-09-24 11:00    last part: sent',
    '2026-09-24 11:00  operator: templates = null',
    '2026-09-24 11:00  visitor: Thank you!',
    '2026-09-24 11:00    window: open, closes 2026-09-25T11:00:00.000Z',
    '2026-09-24 11:00  sending stands still',
    '2026-09-24 11:00  person: You are welcome.',
    '2026-09-24 11:00    201 accepted',
    '2026-09-24 11:00    window: open, closes 2026-09-25T11:00:00.000Z',
    '2026-09-25 13:00  a day later sending goes on: the window has closed meanwhile',
    '2026-09-25 13:00    window: closed, closed 2026-09-25T11:00:00.000Z',
    `2026-09-25 13:00    last part: failed, ${because}`,
  ]);
});
