import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { SlackAccount } from './manifest.ts';

/** The address of a socket that Slack told: it has to be Slack's own, or where the operator has us call Slack anyway. */
export function socketAddress(told: string | undefined, { settings }: SlackAccount): string {
  const url = URL.parse(told ?? '');
  const base = settings.api_base_url === undefined ? null : new URL(settings.api_base_url);
  if (
    url !== null &&
    base !== null &&
    ['ws:', 'wss:'].includes(url.protocol) &&
    url.hostname === base.hostname
  )
    return url.href;
  const isSlack = url?.protocol === 'wss:' && url.hostname.endsWith('.slack.com');
  if (url !== null && isSlack) return url.href;
  throw new ConnectorError('Slack told an address for its socket that is not its own.', {
    advice: { retry: 'backoff' },
  });
}
