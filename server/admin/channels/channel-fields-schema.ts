import { z } from 'zod';
import { characters } from '../../schemas/characters.ts';

const fields = z.record(z.string(), z.unknown());

/** What may be changed of a channel. */
export const channelFieldsSchema = z.object({
  name: characters({ min: 1, max: 200 }, z.string().trim()),
  credentials: fields.meta({
    description: 'What the platform gave, such as bot_token. It is encrypted, and never shown again.',
  }),
  settings: fields.meta({
    description:
      'Of every channel api_base_url, enabled, and verify (false: stored without asking the platform); the others depend on the channel.',
  }),
  enabled: z.boolean().meta({ description: 'false: what comes from the platform is refused.' }),
});
