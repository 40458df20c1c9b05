import { gunzipSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { serveThread } from '../../../contract/threads.ts';
import { declaredEncoding } from '../../../knowledge/loaders/declared-format.ts';
import { decodeText } from '../../../knowledge/loaders/decode-text.ts';
import {
  MAX_LIST_BYTES,
  MAX_LISTED,
  parseMarkdownLinks,
  type SiteList,
  type SiteListEntry,
  type SiteListReply,
  type SiteListRequest,
} from './site-list.ts';

const MAX_DEPTH = 50;
const MAX_TEXT = 2_048;
const MAX_ERRORS = 1_000;
const PIECE_CHARACTERS = 16_384;

/** Handles a request in the parsing thread. */
function answer({ bytes, contentType, textAs }: SiteListRequest): SiteListReply {
  const unpacked = unpack(bytes);
  if (unpacked === null) return { kind: 'unreadable' };
  const list = parseSiteList(decodeText(unpacked, null).trimStart());
  if (list !== null || textAs === null) return { kind: 'list', list };
  const text = decodeText(unpacked, declaredEncoding(contentType));
  return { kind: 'list', list: textAs === 'links' ? parseMarkdownLinks(text) : parseAddressLines(text) };
}

/** Returns null if a compressed file is damaged or expands to too much. */
function unpack(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_LIST_BYTES });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

const ROOTS: Readonly<Record<string, Exclude<SiteList['kind'], 'links'>>> = {
  urlset: 'sitemap',
  sitemapindex: 'index',
  rss: 'feed',
  feed: 'feed',
  RDF: 'feed',
};
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  sitemap: ['url'],
  index: ['sitemap'],
  feed: ['item', 'entry'],
};

/**
 * Reads a sitemap (protocol 0.9), RSS or Atom. Returns null for any other text. Entities of a DTD are not expanded, and an
 * error in the XML costs the entry that contains it only.
 */
export function parseSiteList(text: string): SiteList | null {
  if (!text.startsWith('<')) return null;
  const collector = new EntryCollector();
  for (let start = 0; start < text.length && !collector.isDone; start += PIECE_CHARACTERS) {
    collector.write(text.slice(start, start + PIECE_CHARACTERS));
  }
  return collector.finish();
}

/** The entry that is being read. */
interface OpenEntry {
  address: string;
  title: string;
  changed: string;
}

class EntryCollector {
  readonly #parser = new SaxesParser();
  readonly #path: string[] = [];
  readonly #entries: SiteListEntry[] = [];
  #kind: Exclude<SiteList['kind'], 'links'> | null = null;
  #entry: OpenEntry | null = null;
  #text = '';
  #errors = 0;
  #isClosed = false;
  isDone = false;

  constructor() {
    this.#parser.on('error', () => {
      this.#errors += 1;
      if (this.#errors > MAX_ERRORS) this.isDone = true;
    });
    this.#parser.on('opentag', ({ name, attributes }) => this.#open(localName(name), attributes));
    this.#parser.on('closetag', ({ name }) => this.#close(localName(name)));
    this.#parser.on('text', (text) => this.#append(text));
    this.#parser.on('cdata', (text) => this.#append(text));
  }

  write(piece: string): void {
    this.#parser.write(piece);
  }

  finish(): SiteList | null {
    if (this.#kind === null) return null;
    return { kind: this.#kind, entries: this.#entries, isCut: this.isDone || !this.#isClosed };
  }

  #append(text: string): void {
    if (this.#text.length < MAX_TEXT) this.#text += text.slice(0, MAX_TEXT);
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#path.length === 0) this.#kind = ROOTS[name] ?? null;
    this.#path.push(name);
    this.#text = '';
    if (this.#kind === null || this.#path.length > MAX_DEPTH || this.#entries.length >= MAX_LISTED) {
      this.isDone = true;
      return;
    }
    if (this.#isEntry(name)) this.#entry = { address: '', title: '', changed: '' };
    else if (name === 'link' && attributes.href !== undefined && this.#isInEntry()) this.#link(attributes);
  }

  /** Atom links a page as the alternate of its entry. */
  #link({ href = '', rel = 'alternate' }: Readonly<Record<string, string>>): void {
    if (this.#entry !== null && rel === 'alternate' && this.#entry.address === '') this.#entry.address = href;
  }

  #close(name: string): void {
    const text = this.#text.trim();
    this.#text = '';
    if (this.#entry !== null && this.#isInEntry()) this.#field(this.#entry, name, text);
    this.#path.pop();
    if (this.#entry !== null && this.#isEntry(name)) this.#add(this.#entry);
    if (this.#path.length === 0) this.#isClosed = true;
  }

  /** Elements of extensions (`image:loc`) lie deeper than the fields of the entry. */
  #isInEntry(): boolean {
    return this.#entry !== null && this.#isEntry(this.#path.at(-2) ?? '');
  }

  #isEntry(name: string): boolean {
    return this.#kind !== null && ENTRIES[this.#kind]?.includes(name) === true;
  }

  #field(entry: OpenEntry, name: string, text: string): void {
    if ((name === 'loc' || name === 'link') && entry.address === '') entry.address = text;
    else if (name === 'title') entry.title = text;
    // `pubDate` stays when an article is edited, so it is no version.
    else if (name === 'lastmod' || name === 'updated') entry.changed = text;
  }

  #add({ address, title, changed }: OpenEntry): void {
    this.#entry = null;
    if (address === '') return;
    this.#entries.push({
      address,
      ...(title === '' ? {} : { title: title.slice(0, 300) }),
      ...(changed === '' ? {} : { changed: changed.slice(0, 40) }),
    });
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Reads a sitemap in plain text: an address in each line. Returns null for any other text. */
export function parseAddressLines(text: string): SiteList | null {
  const lines = text.split(/\r?\n/, MAX_LISTED + 1).map((line) => line.trim());
  const addresses = lines.filter((line) => line !== '');
  if (addresses.length === 0 || !addresses.every((line) => /^https?:\/\/\S+$/.test(line))) return null;
  const entries = addresses.slice(0, MAX_LISTED).map((address) => ({ address }));
  return { kind: 'sitemap', entries, isCut: addresses.length > MAX_LISTED };
}

serveThread(answer);
