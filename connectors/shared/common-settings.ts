import { z } from 'zod';

/** What may be set of every channel. */
export const commonSettings = z.object({
  enabled: z.boolean().default(true).describe('Whether events are taken and answers are sent.'),
  api_base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the platform is called instead: a regional host, a self-hosted server, a proxy.'),
  verify: z
    .boolean()
    .optional()
    .describe('Whether the credentials are tried on the platform before they are stored; true unless said.'),
});
