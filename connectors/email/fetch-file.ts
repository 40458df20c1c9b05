import { buffer } from 'node:stream/consumers';
import type { ImapFlow } from 'imapflow';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import { type FileReference, readFileReference } from './file-reference.ts';
import type { EmailAccount } from './manifest.ts';
import { readFile } from './read-mail.ts';
import { withImap } from './with-imap.ts';

/** As much as a mail may be set to have that is read whole. */
const MOST_BYTES = 50_000_000;
/** What is asked for at once: each piece is a way there and back. */
const PIECE_BYTES = 1_000_000;
const UNKNOWN = 'application/octet-stream';

/** A file of a mail, from the mailbox, where it stays: unread as the mail may be. */
export function fetchFile(reference: string, account: EmailAccount, tools: Tools): Promise<FetchedFile> {
  const file = readFileReference(reference);
  return withImap(account.credentials.imap, tools, async (client) => {
    const { uidValidity } = await client.mailboxOpen(account.settings.mailbox, { readOnly: true });
    if (String(uidValidity) !== file.uidValidity) throw gone();
    return file.part.startsWith('n') ? attached(client, file, tools) : download(client, file);
  });
}

/** As it is decoded, counted as it was when the mail came. */
async function attached(client: ImapFlow, file: FileReference, tools: Tools): Promise<FetchedFile> {
  const { body: source } = await download(client, { ...file, part: '' });
  const found = await readFile({ source, index: Number(file.part.slice(1)) }, tools);
  if (found === null) throw gone();
  return found;
}

/** A part as the server has it, decoded; the whole mail without one. */
async function download(client: ImapFlow, { uid, part }: FileReference): Promise<FetchedFile> {
  const { meta, content } = await client.download(String(uid), part === '' ? undefined : part.slice(1), {
    uid: true,
    chunkSize: PIECE_BYTES,
    maxBytes: MOST_BYTES + 1,
  });
  if (content === undefined) throw gone();
  const body = await buffer(content);
  if (body.length > MOST_BYTES) throw refused(`The file is larger than ${MOST_BYTES / 1_000_000} MB.`);
  return { contentType: meta.contentType ?? UNKNOWN, body };
}

function gone(): ConnectorError {
  return refused('The mail is not in the folder any more: somebody moved or deleted it.');
}

function refused(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
