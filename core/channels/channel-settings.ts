import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { type Fields, parseFields } from '../base/fields.ts';
import type { AnyConnector } from '../contract/connector.ts';

interface ChannelFields {
  readonly credentials: Fields;
  readonly settings: Fields;
}

/**
 * Returns a channel's own fields as they are stored. A field that is missing may be one of `inherited`. Throws
 * `invalid_credentials` and `invalid_settings`.
 */
export function parseOwnFields(
  { manifest }: AnyConnector,
  { credentials, settings }: ChannelFields,
  inherited: ChannelFields,
): ChannelFields {
  return {
    credentials: parseFields('credentials', manifest.credentials, credentials, inherited.credentials),
    settings: parseFields('settings', manifest.settings, settings, inherited.settings),
  };
}

const schema = z.looseObject({ verify: z.boolean().default(true), enabled: z.boolean().optional() });

interface CommonSettings {
  /** Whether the credentials are verified on the platform before the channel is stored. */
  readonly verify: boolean;
  readonly enabled: boolean | undefined;
  /** The settings of the connector. */
  readonly own: Fields;
}

/** Separates the settings common to all channels from the connector's own. Throws `invalid_settings`. */
export function parseCommonSettings(given: Fields): CommonSettings {
  const read = schema.safeParse(given);
  if (!read.success) {
    const field = String(read.error.issues[0]?.path[0]);
    throw new AppError('invalid_settings', { detail: `settings.${field} must be true or false.` });
  }
  const { verify, enabled, ...own } = read.data;
  return { verify, enabled, own };
}
