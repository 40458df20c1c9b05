import { z } from 'zod';

/** The settings that every channel has. */
export const commonSettings = z.object({
  enabled: z.boolean().default(true).describe('Whether the channel receives events and sends answers.'),
  api_base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base URL of the platform API, for example a regional host, a self-hosted server or a proxy.'),
  verify: z
    .boolean()
    .optional()
    .describe(
      'Whether the credentials are checked with the platform before they are stored. Defaults to true.',
    )
    .meta({ default: true }),
});
