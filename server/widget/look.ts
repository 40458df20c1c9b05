import { z } from 'zod';
import type { OpenedAccount } from '../../core/channels/opened-account.ts';

/** As the connectors check them when they are set; what an older version stored otherwise is left out. */
const schema = z.object({
  title: z.string().optional().catch(undefined),
  greeting: z.string().optional().catch(undefined),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .catch('#3654d6')
    .default('#3654d6'),
  logo_url: z.string().optional().catch(undefined),
  suggestions: z.array(z.string()).catch([]).default([]),
  choice_at_start: z.boolean().catch(false).default(false),
  attachments: z.boolean().catch(false).default(false),
  theme: z.enum(['auto', 'light', 'dark']).catch('auto').default('auto'),
  position: z.enum(['left', 'right']).catch('right').default('right'),
  allowed_domains: z.array(z.string()).optional().catch(undefined),
  slug: z.string().catch('').default(''),
  noindex: z.boolean().catch(false).default(false),
});

/** How a widget or a page presents itself. */
export type Look = z.output<typeof schema>;

export function lookOf({ settings }: OpenedAccount): Look {
  return schema.parse(settings);
}
