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

const LARGEST_LOGO = 50_000;

/** Pictures within the text as well; what only proves who wrote the mail is none. */
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
  // Whoever reads the conversation sees that there is more of it.
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

/** A logo, a card of who writes, or an invitation, which is read. What is pasted into a text to be looked at is larger. */
function isIncidental({ type, bytes, embedded }: Mail['files'][number]): boolean {
  if (/^text\/(x-)?(vcard|calendar)$/.test(type ?? '') || type === 'application/ics') return true;
  return embedded && fileKind(type) === 'image' && bytes !== null && bytes < LARGEST_LOGO;
}

function isSignature(type: string | null): boolean {
  return /^application\/(x-)?(pgp-signature|pkcs7-signature)$/.test(type ?? '');
}

/** A file in the mailbox: its mail, and how it is found in that. */
interface FileReference extends Pick<Mail, 'uid' | 'uidValidity'> {
  /** `nINDEX` of the files of a mail that was read whole, `pPART` of one that was not; the whole mail where it is empty. */
  readonly part: string;
}

const form = /^(\d+)\/(\d+)\/(n\d+|p[\d.]+|)$/;

function formatFileReference({ uidValidity, uid, part }: FileReference): string {
  return `${uidValidity}/${uid}/${part}`;
}

function parseFileReference(reference: string): FileReference {
  const [, uidValidity, uid, part] = form.exec(reference) ?? [];
  if (uidValidity !== undefined && part !== undefined) return { uidValidity, uid: Number(uid), part };
  throw new ConnectorError('This is no file of a mailbox.', { advice: { retry: 'never' } });
}

/** As much as a mail may be set to have that is read whole. */
const MAX_BYTES = 50_000_000;
/** What is asked for at once: each piece is a way there and back. */
const PIECE_BYTES = 1_000_000;
const UNKNOWN = 'application/octet-stream';

/** A file of a mail, from the mailbox, where it stays: unread as the mail may be. */
export function fetchFile(reference: string, account: EmailAccount, tools: Tools): Promise<FetchedFile> {
  const file = parseFileReference(reference);
  return withImap(account.credentials.imap, tools, async (client) => {
    const { uidValidity } = await client.mailboxOpen(account.settings.mailbox, { readOnly: true });
    if (String(uidValidity) !== file.uidValidity) throw mailGoneError();
    return file.part.startsWith('n') ? readAttachment(client, file, tools) : downloadPart(client, file);
  });
}

/** As it is decoded, counted as it was when the mail came. */
async function readAttachment(client: ImapFlow, file: FileReference, tools: Tools): Promise<FetchedFile> {
  const { body: source } = await downloadPart(client, { ...file, part: '' });
  const found = await readFile({ source, index: Number(file.part.slice(1)) }, tools);
  if (found === null) throw mailGoneError();
  return found;
}

/** A part as the server has it, decoded; the whole mail without one. */
async function downloadPart(client: ImapFlow, { uid, part }: FileReference): Promise<FetchedFile> {
  const { meta, content } = await client.download(String(uid), part === '' ? undefined : part.slice(1), {
    uid: true,
    chunkSize: PIECE_BYTES,
    maxBytes: MAX_BYTES + 1,
  });
  if (content === undefined) throw mailGoneError();
  const body = await buffer(content);
  if (body.length > MAX_BYTES) throw fileError(`The file is larger than ${MAX_BYTES / 1_000_000} MB.`);
  return { contentType: meta.contentType ?? UNKNOWN, body };
}

function mailGoneError(): ConnectorError {
  return fileError('The mail is not in the folder any more: somebody moved or deleted it.');
}

function fileError(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
