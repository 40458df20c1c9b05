import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';

const id = z.string().regex(/^\d+$/, 'Ids of teammates and teams are numbers.');

const credentials = z.object({
  access_token: z
    .string()
    .min(1)
    .describe('Of the app, from Configure > Authentication in the Developer Hub.'),
  client_secret: z
    .string()
    .min(1)
    .describe('Of the app, from Configure > Basic information: Intercom signs what it posts with it.'),
  client_id: z
    .string()
    .min(1)
    .optional()
    .describe('Of the app: only where workspaces of others let it in themselves, by OAuth.'),
});

const settings = commonSettings.extend({
  admin_id: id
    .optional()
    .describe('The teammate who answers: one that nobody works as. The owner of the token without it.'),
  region: z.enum(['us', 'eu', 'au']).default('us').describe('Where the workspace is hosted.'),
  app_id: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The workspace whose events these are; as Intercom tells it, unless the credentials are not tried.',
    ),
  handover_to: z
    .union([z.literal('unassigned'), z.string().regex(/^(team|admin):\d+$/, 'It is team:ID or admin:ID.')])
    .default('unassigned')
    .describe('Who gets a conversation that needs a person: `unassigned`, `team:ID` or `admin:ID`.'),
  handover_note: z
    .boolean()
    .default(true)
    .describe('Whether a note for the team tells that the conversation was handed over.'),
  person_button: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .optional()
    .describe('What the button under answers says; in the language of the visitor without it.'),
  buttons: z.boolean().default(true).describe('Whether there is a button under answers that calls a person.'),
  skip_notifications: z
    .boolean()
    .default(false)
    .describe('Whether contacts get no e-mail or push message about answers.'),
  silence_hours: z
    .number()
    .positive()
    .max(8_760)
    .default(72)
    .describe('After how long without a word of Intercom the channel is shown as stale.'),
});

export type IntercomAccount = Account<z.infer<typeof credentials>, z.infer<typeof settings>>;

export const manifest: Manifest<IntercomAccount['credentials'], IntercomAccount['settings']> = {
  contract: 1,
  channel: 'intercom',
  credentials,
  settings,
  limits: { textChars: 10_000 },
};

interface Hosts {
  readonly api: string;
  /** Where people let an app into their workspace. */
  readonly app: string;
}

const regions: Readonly<Record<IntercomAccount['settings']['region'], Hosts>> = {
  us: { api: 'https://api.intercom.io', app: 'https://app.intercom.com' },
  eu: { api: 'https://api.eu.intercom.io', app: 'https://app.eu.intercom.com' },
  au: { api: 'https://api.au.intercom.io', app: 'https://app.au.intercom.com' },
};

/** Without a slash at the end. */
export function resolveHosts({ region, api_base_url }: IntercomAccount['settings']): Hosts {
  const { api, app } = regions[region];
  return { api: (api_base_url ?? api).replace(/(?<!\/)\/+$/, ''), app };
}
