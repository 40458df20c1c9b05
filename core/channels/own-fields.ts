import type { AnyConnector } from '../contract/connector.ts';
import type { OpenedAccount } from './opened-account.ts';
import { type Fields, fieldsOf, readFields } from './read-fields.ts';

interface Given {
  readonly credentials: Fields;
  readonly settings: Fields;
}

/**
 * What a channel has of its own, as it is stored: what it lacks may be its parent's. Throws `invalid_credentials` and
 * `invalid_settings`.
 */
export function ownFields(
  { manifest }: AnyConnector,
  { credentials, settings }: Given,
  parent: OpenedAccount | null,
): Given {
  const inherited = {
    credentials: fieldsOf(parent?.credentials ?? {}),
    settings: fieldsOf(parent?.settings ?? {}),
  };
  return {
    credentials: readFields('credentials', manifest.credentials, credentials, inherited.credentials),
    settings: readFields('settings', manifest.settings, settings, inherited.settings),
  };
}
