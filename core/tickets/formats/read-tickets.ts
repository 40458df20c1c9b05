import { isChatwootConversation, readChatwootConversation } from './chatwoot.ts';
import { isIntercomConversation, readIntercomConversation } from './intercom.ts';
import { readJsonRecords } from './json-records.ts';
import { type ReadMails, readMbox } from './mbox.ts';
import type { TicketFormat, TicketReading } from './ticket.ts';
import { isZendeskTicket, readZendeskTicket } from './zendesk.ts';

interface ExportFile {
  /** Its bytes from the beginning; a further call begins anew. */
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly readMails: ReadMails;
}

/** Records that are looked at to tell the format. */
const MAX_LOOKED_AT = 20;

/** Tells the format of an export by its beginning; null if it is none of those that are read. */
export async function detectTicketFormat({ open }: Pick<ExportFile, 'open'>): Promise<TicketFormat | null> {
  for await (const bytes of open()) {
    const beginning = Buffer.from(bytes.subarray(0, 1_000))
      .toString('latin1')
      .replace(/^\u00ef\u00bb\u00bf/u, '');
    if (/^\s*From \S/u.test(beginning)) return 'mbox';
    if (!/^\s*[[{]/u.test(beginning)) return null;
    break;
  }
  let looked = 0;
  for await (const record of readJsonRecords(decode(open(), 'utf-8'))) {
    if ('value' in record) {
      const found = formats.find(({ isOf }) => isOf(record.value));
      if (found !== undefined) return found.format;
    }
    looked += 1;
    if (looked === MAX_LOOKED_AT) break;
  }
  return null;
}

const formats = [
  { format: 'intercom', isOf: isIntercomConversation, read: readIntercomConversation },
  { format: 'zendesk', isOf: isZendeskTicket, read: readZendeskTicket },
  { format: 'chatwoot', isOf: isChatwootConversation, read: readChatwootConversation },
] as const;

/** Reads the tickets of an export as they come. Every record is either a ticket or left out with a reason. */
export async function* readTickets(
  format: TicketFormat,
  { open, readMails }: ExportFile,
): AsyncGenerator<TicketReading> {
  const known = formats.find((one) => one.format === format);
  if (known === undefined) {
    yield* readMbox(decode(open(), 'latin1'), readMails);
    return;
  }
  let record = 0;
  for await (const found of readJsonRecords(decode(open(), 'utf-8'))) {
    record += 1;
    const outcome = 'value' in found ? known.read(found.value) : found.omission;
    yield typeof outcome === 'string' ? { record, omission: outcome } : { record, ticket: outcome };
  }
}

async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  encoding: 'utf-8' | 'latin1',
): AsyncGenerator<string> {
  if (encoding === 'latin1') {
    for await (const chunk of chunks) yield Buffer.from(chunk).toString('latin1');
    return;
  }
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
