import { z } from 'zod';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';
import { chatAppearance, firstPartyChannel } from '../shared/first-party-channel.ts';
import { about } from './about.ts';

const credentials = z.object({});

const settings = commonSettings.extend({
  ...chatAppearance.shape,
  slug: z
    .string()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
      'Write the slug with lower-case letters, digits and hyphens.',
    )
    .describe('Last part of the address, /c/{slug}. Unique in the installation.'),
  noindex: z.boolean().optional().describe('Whether search engines are asked not to index the page.'),
});

const manifest: Manifest<z.infer<typeof credentials>, z.infer<typeof settings>> = {
  contract: 1,
  channel: 'hosted',
  credentials,
  settings,
  limits: { textChars: 100_000 },
};

export const hosted = { about, manifest, open: () => firstPartyChannel };
