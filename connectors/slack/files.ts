import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { fileKind, readFile, requestFile } from '../shared/files.ts';
import { apiBaseUrl, callSlackOrThrow } from './api-client.ts';
import type { SlackAccount } from './manifest.ts';
import type { SlackMessage } from './payloads.ts';

/** Also of messages that are passed on. */
export function parseAttachments({ files, attachments }: SlackMessage): readonly Attachment[] {
  const passedOn = (attachments ?? []).flatMap((each) => (each.is_share === true ? (each.files ?? []) : []));
  return [...(files ?? []), ...passedOn].flatMap((file) => {
    const reference = file.url_private_download ?? file.url_private ?? file.id;
    if (reference === null) return [];
    const { name, mimetype: contentType, size: bytes } = file;
    return [{ kind: fileKind(contentType), name, contentType, bytes, reference }];
  });
}

/** Of a file in a channel that is shared with another organisation, events tell no more than this. */
const isId = /^F\w+$/;

/** Slack shows its files to who has the bot's token, so that goes to Slack alone. */
export async function fetchFile(
  reference: string,
  account: SlackAccount,
  tools: Tools,
): Promise<FetchedFile> {
  const url = URL.parse(isId.test(reference) ? await downloadUrl(reference, account, tools) : reference);
  const token = account.credentials.bot_token;
  if (url === null || token === undefined || !isSlackHost(url, account))
    throw fileError('This is no file of Slack.');
  const headers = { authorization: `Bearer ${token}` };
  const asked = { address: url.href, platform: 'Slack', headers, secrets: [token] };
  const response = await requestFile(asked, tools);
  if (isSignInPage(response, url)) {
    await response.body?.cancel();
    throw fileError('Slack does not show the file to the app: it needs the scope files:read.');
  }
  return readFile(response, 'Slack', tools);
}

async function downloadUrl(file: string, account: SlackAccount, tools: Tools): Promise<string> {
  const { file: found } = await callSlackOrThrow(
    { method: 'files.info', run: (client) => client.files.info({ file }) },
    account,
    tools,
  );
  return found?.url_private_download ?? found?.url_private ?? '';
}

/** Who may not see a file is led to a page to sign in, or shown that at once. */
function isSignInPage({ status, headers }: Response, { pathname }: URL): boolean {
  const isPage = headers.get('content-type')?.startsWith('text/html') === true;
  return (status >= 300 && status < 400) || (status === 200 && isPage && !pathname.endsWith('.html'));
}

function isSlackHost({ protocol, hostname, origin }: URL, account: SlackAccount): boolean {
  if (account.settings.api_base_url !== undefined && origin === new URL(apiBaseUrl(account)).origin)
    return true;
  return protocol === 'https:' && (hostname === 'slack.com' || hostname.endsWith('.slack.com'));
}

function fileError(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
