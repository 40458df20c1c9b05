import { buffer } from 'node:stream/consumers';
import type { ImapFlow } from 'imapflow';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { fileKind } from '../shared/files.ts';
import { withImap } from './imap.ts';
import type { EmailAccount } from './manifest.ts';
import type { Mail } from './parsing/mail.ts';
import { readFile } from './parsing/read-mail.ts';

const MAX_LOGO_BYTES = 50_000;

/** Returns the files of a mail, inline images included. Signatures (PGP, S/MIME) are not files. */
export function parseAttachments(mail: Mail): readonly Attachment[] {
  const files = mail.files
    .filter(({ type }) => !isSignature(type))
    .map((file): Attachment => {
      const { name, type, bytes, part } = file;
      return {
        kind: fileKind(type),
        name,
        contentType: type,
        bytes,
        reference: formatFileReference({ ...mail, part }),
        ...(isIncidental(file) && { incidental: true }),
      };
    });
  if (!mail.isCut && !mail.isUnread) return files;
  // Agents get the whole mail, so that they see that it contains more.
  const whole = formatFileReference({ ...mail, part: '' });
  const name = `the whole mail, which ${mail.isUnread ? 'could not' : 'was too large to'} be read`;
  return [
    ...files,
    {
      kind: 'other',
      name,
      contentType: 'message/rfc822',
      bytes: mail.bytes,
      reference: whole,
      incidental: true,
    },
  ];
}

/**
 * A logo, a business card or an invitation, whose text is read separately. Images that are pasted for a reader are
 * larger.
 */
function isIncidental({ type, bytes, embedded }: Mail['files'][number]): boolean {
  if (/^text\/(x-)?(vcard|calendar)$/.test(type ?? '') || type === 'application/ics') return true;
  return embedded && fileKind(type) === 'image' && bytes !== null && bytes < MAX_LOGO_BYTES;
}

function isSignature(type: string | null): boolean {
  return /^application\/(x-)?(pgp-signature|pkcs7-signature)$/.test(type ?? '');
}

/** A file in the mailbox: its mail and its part. */
interface FileReference extends Pick<Mail, 'uid' | 'uidValidity'> {
  /** `nINDEX` for a mail that was read whole, `pPART` for one that was not; empty for the whole mail. */
  readonly part: string;
}

const referencePattern = /^(\d+)\/(\d+)\/(n\d+|p[\d.]+|)$/;

function formatFileReference({ uidValidity, uid, part }: FileReference): string {
  return `${uidValidity}/${uid}/${part}`;
}

function parseFileReference(reference: string): FileReference {
  const [, uidValidity, uid, part] = referencePattern.exec(reference) ?? [];
  if (uidValidity !== undefined && part !== undefined) return { uidValidity, uid: Number(uid), part };
  throw new ConnectorError('The reference is not a file of a mailbox.', { advice: { retry: 'never' } });
}

/** The maximum of the setting `max_bytes`, so that the files of every mail that was read whole can be fetched. */
const MAX_BYTES = 50_000_000;
/** Size of a fetched chunk. Each chunk costs a round trip. */
const CHUNK_BYTES = 1_000_000;
const DEFAULT_CONTENT_TYPE = 'application/octet-stream';

/** Fetches a file of a mail from the mailbox, where it stays, without marking the mail as read. */
export function fetchFile(reference: string, account: EmailAccount, tools: Tools): Promise<FetchedFile> {
  const file = parseFileReference(reference);
  return withImap(account.credentials.imap, tools, async (client) => {
    const { uidValidity } = await client.mailboxOpen(account.settings.mailbox, { readOnly: true });
    if (String(uidValidity) !== file.uidValidity) throw mailGoneError();
    return file.part.startsWith('n') ? readAttachment(client, file, tools) : downloadPart(client, file);
  });
}

/** Reads an attachment by the index that it had when the mail was received. */
async function readAttachment(client: ImapFlow, file: FileReference, tools: Tools): Promise<FetchedFile> {
  const { body: source } = await downloadPart(client, { ...file, part: '' });
  const found = await readFile({ source, index: Number(file.part.slice(1)) }, tools);
  if (found === null) throw mailGoneError();
  return found;
}

/** Downloads a part as the server decodes it; the whole mail if the part is empty. */
async function downloadPart(client: ImapFlow, { uid, part }: FileReference): Promise<FetchedFile> {
  const { meta, content } = await client.download(String(uid), part === '' ? undefined : part.slice(1), {
    uid: true,
    chunkSize: CHUNK_BYTES,
    maxBytes: MAX_BYTES + 1,
  });
  if (content === undefined) throw mailGoneError();
  const body = await buffer(content);
  if (body.length > MAX_BYTES) throw fileError(`The file is larger than ${MAX_BYTES / 1_000_000} MB.`);
  return { contentType: meta.contentType ?? DEFAULT_CONTENT_TYPE, body };
}

function mailGoneError(): ConnectorError {
  return fileError('The mail is no longer in the folder. It was moved or deleted.');
}

function fileError(message: string): ConnectorError {
  return new ConnectorError(message, { advice: { retry: 'never' } });
}
