import { z } from 'zod';
import type { Manifest } from '../../../core/contract/connector.ts';
import { type TwilioAccount, twilioCredentials, twilioSettings } from '../account.ts';
import { replyLimits } from '../messaging/medium.ts';

const template = z.object({
  content_sid: z
    .string()
    .regex(
      /^HX[0-9a-fA-F]{32}$/,
      'A content SID is HX and 32 hexadecimal digits. Copy it from the Content Template Builder.',
    )
    .describe('SID of a template that WhatsApp has approved.'),
  variables: z
    .record(z.string().regex(/^\w{1,64}$/), z.string().max(1_000))
    .optional()
    .describe(
      'Variables of the template by name. {text} stands for the text of the reply. Defaults to {"1": "{text}"}.',
    ),
});

const settings = twilioSettings.extend({
  templates: z
    .object({
      reply: template
        .optional()
        .describe('Template to send instead of a reply that is more than 24 hours late.'),
    })
    .optional()
    .describe('Templates that can be sent at any time.'),
});

export type WhatsappSettings = z.infer<typeof settings>;
export type WhatsappAccount = TwilioAccount<WhatsappSettings>;

export const manifest: Manifest<WhatsappAccount['credentials'], WhatsappSettings> = {
  contract: 1,
  channel: 'whatsapp',
  credentials: twilioCredentials,
  settings,
  limits: { textChars: 1_600 },
  replyLimits,
};
