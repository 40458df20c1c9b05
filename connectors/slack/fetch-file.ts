import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Tools } from '../../core/contract/tools.ts';
import { platformError } from '../shared/platform-error.ts';
import { readCapped } from '../shared/read-capped.ts';
import { unreachableError } from '../shared/unreachable-error.ts';
import { apiOf } from './call-slack.ts';
import type { SlackAccount } from './manifest.ts';

/** Slack shows its files to who has the bot's token, so that goes to Slack alone. */
export async function fetchFile(
  reference: string,
  account: SlackAccount,
  tools: Tools,
): Promise<FetchedFile> {
  const url = URL.parse(reference);
  const token = account.credentials.bot_token;
  if (url === null || token === undefined || !isOfSlack(url, account))
    throw refused('This is no file of Slack.');
  const response = await get(url, token, tools);
  if (!response.ok)
    throw platformError(`Slack answered with status ${response.status}.`, response, tools.now());
  const contentType = response.headers.get('content-type') ?? 'application/octet-stream';
  const body = await readCapped(response, 'Slack');
  // Slack asks who may not see a file to sign in, with status 200.
  if (contentType.startsWith('text/html') && !url.pathname.endsWith('.html'))
    throw refused('Slack does not show the file to the app: it needs the scope files:read.');
  return { contentType, body };
}

async function get(url: URL, token: string, { fetch, signal }: Tools): Promise<Response> {
  try {
    return await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'error', signal });
  } catch (error) {
    throw unreachableError('Slack', error, [token]);
  }
}

function isOfSlack({ protocol, hostname, origin }: URL, account: SlackAccount): boolean {
  if (account.settings.api_base_url !== undefined && origin === new URL(apiOf(account)).origin) return true;
  return protocol === 'https:' && (hostname === 'slack.com' || hostname.endsWith('.slack.com'));
}

function refused(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
