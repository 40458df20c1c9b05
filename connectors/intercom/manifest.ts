import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import type { Manifest } from '../../core/contract/connector.ts';
import { commonSettings } from '../shared/common-settings.ts';

const id = z.string().regex(/^\d+$/, 'The id of a teammate or team is a number.');

const credentials = z.object({
  access_token: z
    .string()
    .min(1)
    .describe('The access token of the app, from Configure > Authentication in the Developer Hub.')
    .meta({ format: 'password' }),
  client_secret: z
    .string()
    .min(1)
    .describe(
      'The client secret of the app, from Configure > Basic information. Intercom signs its notifications with it.',
    )
    .meta({ format: 'password' }),
  client_id: z
    .string()
    .min(1)
    .optional()
    .describe('The client id of the app. Required only if other workspaces install the app by OAuth.'),
});

const settings = commonSettings.extend({
  admin_id: id
    .optional()
    .describe(
      'The id of the teammate that the bot answers as. No person may work as this teammate. Defaults to the owner of the token.',
    ),
  region: z.enum(['us', 'eu', 'au']).default('us').describe('The region that hosts the workspace.'),
  app_id: z
    .string()
    .min(1)
    .optional()
    .describe('The id of the workspace. Defaults to the workspace of the token.'),
  handover_to: z
    .union([
      z.literal('unassigned'),
      z.string().regex(/^(team|admin):\d+$/, 'The value is unassigned, team:ID or admin:ID.'),
    ])
    .default('unassigned')
    .describe('The assignee of a conversation that needs a person: `unassigned`, `team:ID` or `admin:ID`.'),
  handover_note: z
    .boolean()
    .default(true)
    .describe('Whether a handover adds a note for the team to the conversation.'),
  person_button: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .optional()
    .describe('The label of the button that calls a person. Defaults to a text in the visitor’s language.'),
  buttons: z.boolean().default(true).describe('Whether answers have a button that calls a person.'),
  skip_notifications: z
    .boolean()
    .default(false)
    .describe('Whether answers send no e-mail or push message to contacts.'),
  silence_hours: z
    .number()
    .positive()
    .max(8_760)
    .default(72)
    .describe('The number of hours without a notification after which the channel counts as stale.'),
});

export type IntercomAccount = Account<z.infer<typeof credentials>, z.infer<typeof settings>>;

export const manifest: Manifest<IntercomAccount['credentials'], IntercomAccount['settings']> = {
  contract: 1,
  channel: 'intercom',
  appCredentials: ['client_secret'],
  credentials,
  settings,
  limits: { textChars: 10_000 },
};

interface Hosts {
  readonly api: string;
  /** The host of the OAuth page. */
  readonly app: string;
}

const regions: Readonly<Record<IntercomAccount['settings']['region'], Hosts>> = {
  us: { api: 'https://api.intercom.io', app: 'https://app.intercom.com' },
  eu: { api: 'https://api.eu.intercom.io', app: 'https://app.eu.intercom.com' },
  au: { api: 'https://api.au.intercom.io', app: 'https://app.au.intercom.com' },
};

/** Returns the hosts of a region, or those of `api_base_url`, without a trailing slash. */
export function resolveHosts({ region, api_base_url }: IntercomAccount['settings']): Hosts {
  const { api, app } = regions[region];
  return { api: (api_base_url ?? api).replace(/(?<!\/)\/+$/, ''), app };
}
