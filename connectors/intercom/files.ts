import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { fileKind, readFile, requestFile } from '../shared/files.ts';
import { parseWebLink } from '../shared/http.ts';
import { callIntercom } from './api-client.ts';
import { conversationSource, parseParts } from './deliveries.ts';
import { parseHtml } from './html.ts';
import { partMessageId, sourceMessageId } from './identifiers.ts';
import { type IntercomAccount, resolveHosts } from './manifest.ts';
import { conversationSchema, type IntercomPart } from './payloads.ts';

type Content = Pick<IntercomPart, 'body' | 'attachments'>;

interface AttachedFile extends Omit<Attachment, 'reference'> {
  readonly address: string;
}

/** What came with a message. */
export function parseAttachments(said: Content, messageId: string): readonly Attachment[] {
  return listFiles(said).map(({ address, ...about }) => ({
    ...about,
    reference: formatFileReference(messageId, address),
  }));
}

/** A picture may be attached, or stand in the text. */
function listFiles({ attachments, body }: Content): readonly AttachedFile[] {
  const attached = (attachments ?? []).map(({ url, name, content_type, filesize }): AttachedFile => {
    return { kind: fileKind(content_type), name, contentType: content_type, bytes: filesize, address: url };
  });
  const known = new Set(attached.map(({ address }) => address));
  const inText = parseHtml(body ?? '')
    .images.filter((address) => parseWebLink(address) !== null && !known.has(address))
    .map((address): AttachedFile => {
      return { kind: 'image', name: null, contentType: null, bytes: null, address };
    });
  return [...attached, ...inText];
}

/** A file in a conversation. Its address is good for half an hour: the message is what it is asked for again by. */
interface FileReference {
  readonly conversation: string;
  /** As the id of the message ends. */
  readonly part: string;
  readonly address: string;
}

const form = /^([^\s/]+)\/([^\s/]+) (\S+)$/;

function formatFileReference(messageId: string, address: string): string {
  return `${messageId} ${address}`;
}

function parseFileReference(reference: string): FileReference {
  const [, conversation, part, address] = form.exec(reference) ?? [];
  if (conversation !== undefined && part !== undefined && address !== undefined)
    return { conversation, part, address };
  throw new ConnectorError('This is no file of an Intercom conversation.', { advice: { retry: 'never' } });
}

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
  const file = parseFileReference(reference);
  requireIntercomUrl(file.address, account);
  const address = requireIntercomUrl(await fetchSignedUrl(file, account, tools), account);
  const response = await requestFile({ address, platform: STORAGE, secrets: [address] }, tools);
  return readFile(response, STORAGE, tools);
}

async function fetchSignedUrl(file: FileReference, account: IntercomAccount, tools: Tools): Promise<string> {
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
      ? conversationSource(read.data)
      : parseParts(read.data).find(({ id }) => id === part);
  const files = said ? listFiles(said) : [];
  const fresh = files.find((each) => withoutSignature(each.address) === withoutSignature(address));
  if (fresh === undefined) throw fileError('The file is not in the conversation any more.');
  return fresh.address;
}

/** Without what it is signed with. */
function withoutSignature(address: string): string {
  const { host, pathname } = URL.parse(address) ?? { host: '', pathname: address };
  return `${host}${pathname}`;
}

function requireIntercomUrl(address: string, { settings }: IntercomAccount): string {
  const url = URL.parse(address);
  const isElsewhere =
    settings.api_base_url !== undefined && url?.origin === new URL(resolveHosts(settings).api).origin;
  const isOwn = url?.protocol === 'https:' && ownHosts.test(url.hostname);
  if (url !== null && (isOwn || isElsewhere)) return url.href;
  throw fileError('The file is not at Intercom.');
}

function fileError(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
