import type { SlackAccount } from './manifest.ts';

/** An account without a signing secret cannot tell what Slack posts from what others do. */
export function intakeOf({ settings, credentials }: SlackAccount): 'webhook' | 'listener' {
  const isSocket =
    settings.mode === undefined ? credentials.signing_secret === undefined : settings.mode === 'socket';
  return isSocket ? 'listener' : 'webhook';
}
