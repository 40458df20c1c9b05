import { type ExportedMessage, toTicket } from './conversation.ts';
import type { ArchivedMail } from './mail-thread.ts';
import type { TicketReading } from './ticket.ts';

/** Parses mails in a thread; null for those that cannot be parsed. */
export type ReadMails = (sources: readonly Uint8Array[]) => Promise<readonly (ArchivedMail | null)[]>;

/** In bytes. The text of a mail stands before its files, so that these are cut. */
const MAX_MAIL = 300_000;
const BATCH = 50;
/** An empty line, and the first word of the line between two mails. */
const SEPARATOR = '\n\nFrom ';
const MAX_SEPARATOR = 2_000;
/** Mails of which nothing more is kept. */
const MAX_MAILS = 100_000;

/** Splits an archive into its mails. The chunks are text in Latin-1, one character a byte. */
export async function* splitMbox(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '\n\n';
  let mail: string | null = null;
  for await (const chunk of chunks) {
    rest += chunk.replaceAll('\r\n', '\n');
    let at = rest.indexOf(SEPARATOR);
    for (; at >= 0; at = rest.indexOf(SEPARATOR)) {
      const end = rest.indexOf('\n', at + SEPARATOR.length);
      // The line goes on in the next chunk.
      if (end < 0 && rest.length - at < MAX_SEPARATOR) break;
      if (mail !== null) yield unquote(extend(mail, rest.slice(0, at)));
      mail = '';
      rest = rest.slice(end < 0 ? rest.length : end);
    }
    // The next separator may have begun.
    const kept = at >= 0 ? at : Math.max(0, rest.length - SEPARATOR.length);
    if (mail !== null) mail = extend(mail, rest.slice(0, kept));
    rest = rest.slice(kept);
  }
  if (mail !== null) yield unquote(extend(mail, rest));
}

function extend(mail: string, piece: string): string {
  return mail.length >= MAX_MAIL ? mail : (mail + piece).slice(0, MAX_MAIL);
}

/** Lines of a mail that begin with `From ` are written with `>` before. */
function unquote(mail: string): string {
  return mail.replaceAll(/^>(>{0,9}From )/gmu, '$1').replace(/^\n+/u, '');
}

/** Reads the threads of an archive: who asked, and who of the team replied. */
export async function* readMbox(
  chunks: AsyncIterable<string>,
  readMails: ReadMails,
): AsyncGenerator<TicketReading> {
  const mails: (ArchivedMail & { readonly record: number })[] = [];
  let record = 0;
  let waiting: Uint8Array[] = [];
  const broken: number[] = [];
  const flush = async (): Promise<void> => {
    const read = await readMails(waiting);
    for (const [index, mail] of read.entries()) {
      const number = record - waiting.length + index + 1;
      if (mail === null) broken.push(number);
      else mails.push({ ...mail, record: number });
    }
    waiting = [];
  };
  for await (const source of splitMbox(chunks)) {
    record += 1;
    if (record > MAX_MAILS) {
      yield { record, omission: 'too_many' };
      continue;
    }
    waiting.push(Buffer.from(source, 'latin1'));
    if (waiting.length === BATCH) await flush();
    for (const number of broken.splice(0)) yield { record: number, omission: 'unreadable' };
  }
  await flush();
  for (const number of broken) yield { record: number, omission: 'unreadable' };
  yield* readThreads(mails);
}

type NumberedMail = ArchivedMail & { readonly record: number };

function* readThreads(mails: readonly NumberedMail[]): Generator<TicketReading> {
  const threads = groupThreads(mails);
  const team = findTeam(threads);
  for (const thread of threads) {
    const [first] = thread;
    if (first === undefined) continue;
    const { record } = first;
    if (first.isAutomatic) {
      yield { record, omission: 'automatic' };
      continue;
    }
    const outcome = toTicket({
      id: first.messageId ?? `mail ${record}`,
      subject: first.subject,
      messages: thread.map((mail) => toMessage(mail, team)),
      language: null,
      tags: first.labels,
      rating: null,
      names: thread.flatMap(({ from }) => from?.name ?? []),
    });
    yield typeof outcome === 'string' ? { record, omission: outcome } : { record, ticket: outcome };
  }
}

function toMessage({ from, isAutomatic, sentAt, text }: ArchivedMail, team: Team): ExportedMessage {
  const side = from !== null && isOf(team, from.address) ? 'agent' : 'customer';
  return { by: isAutomatic || from === null ? 'system' : side, at: sentAt, text };
}

/** Groups mails that refer to one another, in the order of their first mails; within, oldest first. */
function groupThreads(mails: readonly NumberedMail[]): readonly (readonly NumberedMail[])[] {
  const roots = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = roots.get(root); next !== undefined && next !== root; next = roots.get(root)) root = next;
    for (let at = id; at !== root; ) {
      const next = roots.get(at) ?? root;
      roots.set(at, root);
      at = next;
    }
    return root;
  };
  const threads = new Map<string, NumberedMail[]>();
  const ids = mails.map((mail) => mail.messageId ?? `mail ${mail.record}`);
  for (const [index, mail] of mails.entries()) {
    const own = rootOf(ids[index] ?? '');
    for (const id of mail.references) roots.set(rootOf(id), own);
  }
  const seen = new Set<string>();
  for (const [index, mail] of mails.entries()) {
    const id = ids[index] ?? '';
    // An archive may hold a mail twice: as sent, and as received.
    if (seen.has(id)) continue;
    seen.add(id);
    const root = rootOf(id);
    const thread = threads.get(root);
    if (thread === undefined) threads.set(root, [mail]);
    else thread.push(mail);
  }
  return [...threads.values()].map((thread) =>
    thread.toSorted((one, other) => (one.sentAt?.getTime() ?? 0) - (other.sentAt?.getTime() ?? 0)),
  );
}

/** The addresses, or the domain, that the team writes from. */
interface Team {
  readonly addresses: ReadonlySet<string>;
  readonly domain: string | null;
}

function isOf({ addresses, domain }: Team, address: string): boolean {
  return addresses.has(address) || (domain !== null && address.endsWith(`@${domain}`));
}

/** Domains of mailboxes that anybody can have: a team there is known by its address alone. */
const PUBLIC_DOMAIN =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|t-online|freenet|mail|proton|protonmail|posteo|mailbox|zoho|yandex|qq|163|126|orange|free|wanadoo|laposte|libero|wp|o2|onet)\.[a-z.]{2,10}$/u;

/** An archive does not tell who is the team: it is whoever replies to the most other people. */
function findTeam(threads: readonly (readonly ArchivedMail[])[]): Team {
  const answered = new Map<string, Set<string>>();
  for (const thread of threads) {
    const asker = thread.find(({ isAutomatic }) => !isAutomatic)?.from?.address;
    if (asker === undefined) continue;
    for (const { from, isAutomatic } of thread) {
      if (isAutomatic || from === null || from.address === asker) continue;
      const askers = answered.get(from.address) ?? new Set<string>();
      answered.set(from.address, askers.add(asker));
    }
  }
  const [first] = [...answered].sort(([, one], [, other]) => other.size - one.size);
  if (first === undefined) return { addresses: new Set(), domain: null };
  const [address] = first;
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return { addresses: new Set([address]), domain: PUBLIC_DOMAIN.test(domain) ? null : domain };
}
