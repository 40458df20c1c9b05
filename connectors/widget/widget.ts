import { z } from 'zod';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';
import { chatAppearance, firstPartyChannel } from '../shared/first-party-channel.ts';

const credentials = z.object({});

const settings = commonSettings.extend({
  ...chatAppearance.shape,
  position: z
    .enum(['left', 'right'])
    .optional()
    .describe('At which edge of the page it is; right unless said.'),
  allowed_domains: z
    .array(
      z.string().regex(/^(?:\*\.)?[a-z0-9.-]+$/i, 'A domain is written like shop.example or *.shop.example.'),
    )
    .max(100)
    .optional()
    .describe('Whose pages may carry the widget; those of the workspace unless said.'),
});

const manifest: Manifest<z.infer<typeof credentials>, z.infer<typeof settings>> = {
  contract: 1,
  channel: 'widget',
  credentials,
  settings,
  limits: { textChars: 100_000 },
};

export const widget = { manifest, ...firstPartyChannel() };
