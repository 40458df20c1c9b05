import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { fileKind, readFile, requestFile } from '../shared/files.ts';
import { apiBaseUrl, callSlackOrThrow } from './api-client.ts';
import type { SlackAccount } from './manifest.ts';
import type { SlackMessage } from './payloads.ts';

/** Returns the attachments of a message and of the messages that it forwards. */
export function parseAttachments({ files, attachments }: SlackMessage): readonly Attachment[] {
  const forwarded = (attachments ?? []).flatMap((each) => (each.is_share === true ? (each.files ?? []) : []));
  return [...(files ?? []), ...forwarded].flatMap((file) => {
    const reference = file.url_private_download ?? file.url_private ?? file.id;
    if (reference === null) return [];
    const { name, mimetype: contentType, size: bytes, duration_ms: durationMs } = file;
    const attachment = { kind: fileKind(contentType), name, contentType, bytes, reference };
    return [durationMs === null ? attachment : { ...attachment, seconds: durationMs / 1_000 }];
  });
}

/** For a file in a channel shared with another organisation, events contain only the file id. */
const fileId = /^F\w+$/;

/** Downloads a file. Files require the bot token, which is sent to Slack's hosts only. */
export async function fetchFile(
  reference: string,
  account: SlackAccount,
  tools: Tools,
): Promise<FetchedFile> {
  const url = URL.parse(fileId.test(reference) ? await downloadUrl(reference, account, tools) : reference);
  const token = account.credentials.bot_token;
  if (url === null || token === undefined || !isSlackHost(url, account))
    throw fileError('The file reference is not a Slack file.');
  const headers = { authorization: `Bearer ${token}` };
  const request = { address: url.href, platform: 'Slack', headers, secrets: [token] };
  const response = await requestFile(request, tools);
  if (isSignInPage(response, url)) {
    await response.body?.cancel();
    throw fileError('Slack denied access to the file. Add the scope files:read to the app and reinstall it.');
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

/** Without access to a file, Slack redirects to its sign-in page or returns that page with status 200. */
function isSignInPage({ status, headers }: Response, { pathname }: URL): boolean {
  const isPage = headers.get('content-type')?.startsWith('text/html') === true;
  return (status >= 300 && status < 400) || (status === 200 && isPage && !pathname.endsWith('.html'));
}

function isSlackHost({ protocol, hostname, origin }: URL, account: SlackAccount): boolean {
  if (account.settings.api_base_url !== undefined && origin === new URL(apiBaseUrl(account)).origin)
    return true;
  return protocol === 'https:' && (hostname === 'slack.com' || hostname.endsWith('.slack.com'));
}

function fileError(message: string): ConnectorError {
  return new ConnectorError(message, { advice: { retry: 'never' } });
}
