import { z } from 'zod';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';
import { chatAppearance, firstPartyChannel } from '../shared/first-party-channel.ts';
import { about } from './about.ts';

const credentials = z.object({});

const settings = commonSettings.extend({
  ...chatAppearance.shape,
  position: z
    .enum(['left', 'right'])
    .optional()
    .describe('Edge of the page at which the button is. Defaults to right.'),
  allowed_domains: z
    .array(z.string().regex(/^(?:\*\.)?[a-z0-9.-]+$/i, 'Write a domain as shop.example or *.shop.example.'))
    .max(100)
    .optional()
    .describe('Domains whose pages can embed the widget. Defaults to those of the workspace.'),
});

const manifest: Manifest<z.infer<typeof credentials>, z.infer<typeof settings>> = {
  contract: 1,
  channel: 'widget',
  credentials,
  settings,
  limits: { textChars: 100_000 },
};

export const widget = { about, manifest, open: () => firstPartyChannel };
