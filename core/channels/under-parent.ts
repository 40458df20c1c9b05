import { mergeFields } from './merge-fields.ts';
import type { OpenedAccount } from './opened-account.ts';
import { fieldsOf } from './read-fields.ts';

/**
 * A channel with what it has not of its own from the one whose app it shares: it is posted to where that is, and is
 * silent while that is switched off.
 */
export function underParent(own: OpenedAccount, parent: OpenedAccount | null): OpenedAccount {
  if (parent === null) return own;
  return {
    ...own,
    enabled: own.enabled && parent.enabled,
    credentials: mergeFields(parent.credentials, fieldsOf(own.credentials)),
    settings: mergeFields(parent.settings, fieldsOf(own.settings)),
    secret: parent.secret,
    webhookUrl: parent.webhookUrl,
  };
}
