import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import { fileIn } from '../shared/file-in.ts';
import { requestFile } from '../shared/request-file.ts';
import { attachedTo } from './attachments-of.ts';
import { callIntercom } from './call-intercom.ts';
import { partsOf, sourceOf } from './deliveries-of.ts';
import { type FileReference, readFileReference } from './file-reference.ts';
import { hostsOf } from './hosts.ts';
import type { IntercomAccount } from './manifest.ts';
import { partMessageId, sourceMessageId } from './message-id.ts';
import { conversationSchema } from './notification-schema.ts';

const STORAGE = "Intercom's storage";
/** Where Intercom keeps what was sent; anything else may stand in a text as a picture. */
const ownHosts =
  /(^|\.)(intercomcdn\.(com|eu)|intercomusercontent\.com|intercom-attachments(-[1-9])?\.com|intercom-attachments\.eu)$/;

/**
 * A file of a contact. Addresses of files end soon, so Intercom is asked for the message again, which has a fresh one;
 * that one is signed: nobody is shown the token of the app.
 */
export async function fetchFile(
  reference: string,
  account: IntercomAccount,
  tools: Tools,
): Promise<FetchedFile> {
  const file = readFileReference(reference);
  requireOwn(file.address, account);
  const address = requireOwn(await freshAddress(file, account, tools), account);
  const response = await requestFile({ address, platform: STORAGE, secrets: [address] }, tools);
  return fileIn(response, STORAGE, tools);
}

async function freshAddress(file: FileReference, account: IntercomAccount, tools: Tools): Promise<string> {
  const { conversation: conversation_id, part, address } = file;
  const found = await callIntercom(
    (client) => client.conversations.find({ conversation_id }),
    account,
    tools,
  );
  const read = conversationSchema.safeParse(found);
  const messageId = partMessageId(conversation_id, part);
  const said = !read.success
    ? null
    : messageId === sourceMessageId(conversation_id)
      ? sourceOf(read.data)
      : partsOf(read.data).find(({ id }) => id === part);
  const files = said ? attachedTo(said) : [];
  const fresh = files.find((each) => placeOf(each.address) === placeOf(address));
  if (fresh === undefined) throw refused('The file is not in the conversation any more.');
  return fresh.address;
}

/** Without what it is signed with. */
function placeOf(address: string): string {
  const { host, pathname } = URL.parse(address) ?? { host: '', pathname: address };
  return `${host}${pathname}`;
}

function requireOwn(address: string, { settings }: IntercomAccount): string {
  const url = URL.parse(address);
  const isElsewhere =
    settings.api_base_url !== undefined && url?.origin === new URL(hostsOf(settings).api).origin;
  const isOwn = url?.protocol === 'https:' && ownHosts.test(url.hostname);
  if (url !== null && (isOwn || isElsewhere)) return url.href;
  throw refused('The file is not at Intercom.');
}

function refused(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
