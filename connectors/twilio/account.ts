import type { Twilio } from 'twilio';
import { z } from 'zod';
import type { Account } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { commonSettings } from '../shared/common-settings.ts';

export const twilioCredentials = z.object({
  account_sid: z
    .string()
    .regex(
      /^AC[0-9a-fA-F]{32}$/,
      'An account sid is AC and 32 hexadecimal digits, as the Twilio Console shows it.',
    )
    .describe('The sid of the Twilio account, or of the subaccount that the number belongs to.'),
  auth_token: z
    .string()
    .min(1)
    .describe('The auth token of that account: calls are made with it, and webhooks are checked by it.'),
});

export const twilioSettings = commonSettings.extend({
  from: z
    .string()
    .regex(
      /^(\+[1-9]\d{3,14}|MG[0-9a-fA-F]{32})$/,
      'A number is written as +15551234567, a messaging service as MG and 32 hexadecimal digits.',
    )
    .describe(
      'The number that visitors write to or call, as +15551234567, or the sid of a messaging service.',
    ),
});

type Credentials = z.infer<typeof twilioCredentials>;
type Settings = z.infer<typeof twilioSettings>;

/** What the channels of Twilio have in common; each adds settings of its own. */
export type TwilioAccount<Own extends Settings = Settings> = Account<Credentials, Own>;

/**
 * Where a call of Twilio's library goes. A host of Twilio's own, such as that of a region, stands for the same one of
 * each product; behind any other address, the products are told apart by the first part of the path.
 */
export function resolveApiUrl(uri: string, base: string | undefined): string {
  if (base === undefined) return uri;
  const { hostname, pathname, search } = new URL(uri);
  const product = hostname.split('.', 1)[0] ?? 'api';
  const { protocol, host, pathname: root } = new URL(base);
  if (/^api\.(.+\.)?twilio\.com$/.test(host)) {
    return `${protocol}//${host.replace(/^api/, product)}${pathname}${search}`;
  }
  const place = product === 'api' ? '' : `/${product}`;
  return `${protocol}//${host}${root.replace(/(?<!\/)\/+$/, '')}${place}${pathname}${search}`;
}

/** The name of the account at Twilio. Throws where it is not to be used. */
export async function requireActiveAccount(
  twilio: Twilio,
  { credentials }: Pick<TwilioAccount, 'credentials'>,
): Promise<string> {
  const { friendlyName, status } = await twilio.api.v2010.accounts(credentials.account_sid).fetch();
  if (status === 'active') return friendlyName;
  if (status === undefined) {
    throw new ConnectorError("Twilio's answer is not understood.", {
      advice: { retry: 'backoff' },
      foreign: true,
    });
  }
  throw new ConnectorError(`The Twilio account is ${status}.`, { advice: { retry: 'never' }, account: true });
}

const capabilityTexts = { sms: 'send messages', voice: 'take calls' } as const;

/** Throws where the number of the settings is none of the account, or cannot do that. Of a messaging service nothing is asked. */
export async function requireNumber(
  twilio: Twilio,
  { settings: { from } }: Pick<TwilioAccount, 'settings'>,
  capability: keyof typeof capabilityTexts,
): Promise<void> {
  if (!from.startsWith('+')) return;
  const [number] = await twilio.incomingPhoneNumbers.list({ phoneNumber: from, limit: 1 });
  if (number === undefined) throw setupError(`${from} is not a number of this Twilio account.`);
  if (number.capabilities?.[capability] === false)
    throw setupError(`${from} cannot ${capabilityTexts[capability]}.`);
}

function setupError(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}

/** What an operator pastes into Twilio's Console, as far as it is known before the channel is added. */
export function webhookUrlForGuide(webhookUrl: string | null): string {
  return webhookUrl ?? 'PUBLIC_URL, which is absent here, followed by /webhooks/ and the id of the channel';
}
