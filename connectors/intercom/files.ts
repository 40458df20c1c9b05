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

/** Returns the attachments of a message, with the pictures in its text. */
export function parseAttachments(content: Content, messageId: string): readonly Attachment[] {
  return listFiles(content).map(({ address, ...file }) => ({
    ...file,
    reference: formatFileReference(messageId, address),
  }));
}

/** Lists attached files and pictures in the text. */
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

/** A file in a conversation. Its address expires after half an hour, so the reference names the message too. */
interface FileReference {
  readonly conversation: string;
  /** The part of the message id after the conversation. */
  readonly part: string;
  readonly address: string;
}

const referencePattern = /^([^\s/]+)\/([^\s/]+) (\S+)$/;

function formatFileReference(messageId: string, address: string): string {
  return `${messageId} ${address}`;
}

function parseFileReference(reference: string): FileReference {
  const [, conversation, part, address] = referencePattern.exec(reference) ?? [];
  if (conversation !== undefined && part !== undefined && address !== undefined)
    return { conversation, part, address };
  throw new ConnectorError('The file reference is not an Intercom file.', { advice: { retry: 'never' } });
}

const STORAGE = "Intercom's storage";
/** Intercom's storage hosts. Pictures in a text may have any other address. */
const ownHosts =
  /(^|\.)(intercomcdn\.(com|eu)|intercomusercontent\.com|intercom-attachments(-[1-9])?\.com|intercom-attachments\.eu)$/;

/**
 * Downloads a file of a contact. File addresses expire, so Intercom is asked for the message again, which has a fresh one.
 * That address is signed, so the storage hosts never receive the app's token.
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
  const response = await callIntercom(
    (client) => client.conversations.find({ conversation_id }),
    account,
    tools,
  );
  const parsed = conversationSchema.safeParse(response);
  const messageId = partMessageId(conversation_id, part);
  const message = !parsed.success
    ? null
    : messageId === sourceMessageId(conversation_id)
      ? conversationSource(parsed.data)
      : parseParts(parsed.data).find(({ id }) => id === part);
  const files = message ? listFiles(message) : [];
  const fresh = files.find((each) => withoutSignature(each.address) === withoutSignature(address));
  if (fresh === undefined) throw fileError('The conversation no longer contains the file.');
  return fresh.address;
}

/** Returns host and path of an address, without the signature in its query. */
function withoutSignature(address: string): string {
  const { host, pathname } = URL.parse(address) ?? { host: '', pathname: address };
  return `${host}${pathname}`;
}

function requireIntercomUrl(address: string, { settings }: IntercomAccount): string {
  const url = URL.parse(address);
  const isConfigured =
    settings.api_base_url !== undefined && url?.origin === new URL(resolveHosts(settings).api).origin;
  const isOwn = url?.protocol === 'https:' && ownHosts.test(url.hostname);
  if (url !== null && (isOwn || isConfigured)) return url.href;
  throw fileError('The address of the file is not one of Intercom.');
}

function fileError(message: string): ConnectorError {
  return new ConnectorError(message, { advice: { retry: 'never' } });
}
