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
      'An account SID is AC and 32 hexadecimal digits. Copy it from the Twilio Console.',
    )
    .describe('SID of the Twilio account, or of the subaccount that owns the number.')
    .meta({ title: 'Account SID' }),
  auth_token: z
    .string()
    .min(1)
    .describe('Auth token of the account. It authenticates API calls and verifies webhooks.')
    .meta({ format: 'password' }),
});

export const twilioSettings = commonSettings.extend({
  from: z
    .string()
    .regex(
      /^(\+[1-9]\d{3,14}|MG[0-9a-fA-F]{32})$/,
      'Write a number as +15551234567, or a messaging service as MG and 32 hexadecimal digits.',
    )
    .describe('Number that visitors write to or call, as +15551234567, or the SID of a messaging service.'),
});

type Credentials = z.infer<typeof twilioCredentials>;
type Settings = z.infer<typeof twilioSettings>;

/** An account of a Twilio channel. Each channel extends the settings. */
export type TwilioAccount<Own extends Settings = Settings> = Account<Credentials, Own>;

/**
 * Maps a URL of Twilio's library to the configured base URL. If the base is a Twilio host, for example of a region, the
 * same region of each product is used. Behind any other base, the first part of the path names the product.
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

/** Returns the name of the account at Twilio. Throws a ConnectorError if the account is not active. */
export async function requireActiveAccount(
  twilio: Twilio,
  { credentials }: Pick<TwilioAccount, 'credentials'>,
): Promise<string> {
  const { friendlyName, status } = await twilio.api.v2010.accounts(credentials.account_sid).fetch();
  if (status === 'active') return friendlyName;
  if (status === undefined) {
    throw new ConnectorError("The response is not Twilio's.", {
      advice: { retry: 'backoff' },
      foreign: true,
    });
  }
  throw new ConnectorError(`The Twilio account is ${status}.`, { advice: { retry: 'never' }, account: true });
}

const capabilityTexts = { sms: 'send messages', voice: 'take calls' } as const;

/**
 * Throws a ConnectorError if the account does not own the number of the settings, or the number lacks the capability.
 * Skips messaging services.
 */
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

function setupError(message: string): ConnectorError {
  return new ConnectorError(message, { advice: { retry: 'never' } });
}
