import { z } from 'zod';
import type { OpenedAccount } from '../../core/channels/accounts/channel-account.ts';
import { disclosureText } from '../../core/channels/disclosure.ts';
import { fileLimits, fileTypes } from '../../core/visitors/visitor-files.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { computeAccent } from './colours.ts';
import type { ChosenTexts } from './texts/choose-texts.ts';

/** The settings of both connectors, which validate them. */
const lookSchema = z.object({
  title: z.string().optional(),
  greeting: z.string().optional(),
  colour: z.string().default('#3654d6'),
  logo_url: z.string().optional(),
  suggestions: z.array(z.string()).default([]),
  choice_at_start: z.boolean().default(false),
  attachments: z.boolean().default(false),
  theme: z.enum(['auto', 'light', 'dark']).default('auto'),
  position: z.enum(['left', 'right']).default('right'),
  allowed_domains: z.array(z.string()).optional(),
  slug: z.string().default(''),
  noindex: z.boolean().default(false),
});

/** The presentation of a widget or a page. */
export type Look = z.output<typeof lookSchema>;

export function parseLook({ settings }: Pick<OpenedAccount, 'settings'>): Look {
  return lookSchema.parse(settings);
}

interface LookContext {
  readonly look: Look;
  readonly workspace: Workspace;
  readonly chosen: ChosenTexts;
}

/** Returns the look with defaults for all missing values, in the chosen language. */
export function presentLook({ look, workspace, chosen: { language, direction, texts } }: LookContext) {
  return {
    title: look.title ?? workspace.name,
    greeting: look.greeting ?? texts.greeting,
    disclosure: disclosureText(workspace.settings, language),
    accent: computeAccent(look.colour),
    logo_url: look.logo_url ?? null,
    suggestions: look.suggestions,
    choice: look.choice_at_start,
    attachments: look.attachments
      ? { types: [...fileTypes], max_bytes: fileLimits.bytes, max_files: fileLimits.ofMessage }
      : null,
    theme: look.theme,
    position: look.position,
    language,
    direction,
    texts: { ...texts },
  };
}
