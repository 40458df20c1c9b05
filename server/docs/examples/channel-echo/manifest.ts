import { z } from 'zod';
import { commonSettings } from '../../../../connectors/shared/common-settings.ts';
import type { Account } from '../../../../core/contract/account.ts';
import type { Manifest } from '../../../../core/contract/connector.ts';

const credentials = z.object({
  api_token: z
    .string()
    .min(1)
    .describe('The token of the bot, from its page at Echo.')
    .meta({ format: 'password' }),
  signing_key: z
    .string()
    .min(1)
    .describe('The key by which Echo signs its requests, from the same page.')
    .meta({ format: 'password' }),
});

type Credentials = z.infer<typeof credentials>;
type Settings = z.infer<typeof commonSettings>;

export type EchoAccount = Account<Credentials, Settings>;

export const manifest: Manifest<Credentials, Settings> = {
  contract: 1,
  channel: 'echo',
  credentials,
  settings: commonSettings,
  limits: { textChars: 2_000 },
};
