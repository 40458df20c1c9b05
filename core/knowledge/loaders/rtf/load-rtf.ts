import { DocumentError } from '../../documents/document-error.ts';
import { BlockCollector } from '../block-collector.ts';
import { parseHtml, pruneTree } from '../html/parse-html.ts';
import { collectBlocks } from '../html/walk-blocks.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle, parseStatedTitle } from '../metadata.ts';
import { RtfPage } from './rtf-page.ts';

/** Where the text of a group goes. */
type Destination = 'body' | 'fonts' | 'styles' | 'title' | 'marker' | 'note' | 'nowhere';

/** The state that a group inherits; the outer one counts again when the group closes. */
interface GroupState {
  readonly destination: Destination;
  readonly hidden: boolean;
  /** Characters that follow `\u` for readers that know no Unicode. */
  readonly fallbackCharacters: number;
  readonly codePage: number;
  /** The font or style that a table of fonts or styles describes. */
  readonly entry: number;
}

const MAX_DEPTH = 600;
const DEFAULT_CODE_PAGE = 1252;
/** Character sets of fonts (RTF 1.9, `\fcharset`) that have a code page of their own. */
const CODE_PAGE_OF_CHARSET: Readonly<Record<number, number>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};
const ENCODINGS: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  28592: 'iso-8859-2',
  28605: 'iso-8859-15',
  65001: 'utf-8',
};
const DESTINATIONS: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  title: 'title',
  listtext: 'marker',
  pntext: 'marker',
  footnote: 'note',
};
/** Destinations without text of the document. Others are skipped if `\*` marks them, but for these that hold text. */
const WITHOUT_TEXT = new Set(
  `colortbl info pict object header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn aftnsep
  aftnsepc aftncn fldinst nonshppict private annotation atnid atnauthor atntime atnref sp rxe xe tc tcn revtbl filetbl
  nonesttables listtable listoverridetable bkmkstart bkmkend author operator keywords comment doccomm subject`.split(
    /\s+/,
  ),
);
const MARKED_WITH_TEXT = new Set(['shpinst', 'shptxt', 'footnote', 'fldrslt', 'ud', 'pntext']);
const SYMBOLS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
};

const WORD = /\\([a-z]{1,32})(-?\d{1,10})? ?/iy;
const RUN = /[^\\{}\r\n]+/y;

/** Reads a Rich Text document: headings, lists, tables and text. Throws a DocumentError. */
export async function loadRtf(bytes: Uint8Array, limits: LoadingLimits): Promise<LoadedDocument> {
  const reader = new RtfReader(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
  );
  const { page, title } = reader.read();
  const root = parseHtml(page.finish());
  pruneTree(root, { keepLandmarks: true });
  const collector = new BlockCollector(limits);
  collectBlocks(root, collector);
  const document = detectTitle(collector, { title: page.title, url: null });
  return document.title === null ? { ...document, title: parseStatedTitle(title) } : document;
}

class RtfReader {
  readonly #rtf: string;
  readonly #page = new RtfPage();
  readonly #codePages = new Map<number, number>();
  readonly #open: GroupState[] = [];
  #state: GroupState = {
    destination: 'body',
    hidden: false,
    fallbackCharacters: 1,
    codePage: DEFAULT_CODE_PAGE,
    entry: 0,
  };
  #ansiCodePage = DEFAULT_CODE_PAGE;
  #bytes: number[] = [];
  #title = '';
  #styleName = '';
  #at = 0;
  /** Characters to skip after `\u`. */
  #skip = 0;
  /** Whether the next control word names the group's destination, and whether `\*` precedes it. */
  #groupStart = false;
  #marked = false;

  constructor(rtf: string) {
    this.#rtf = rtf;
  }

  read(): { readonly page: RtfPage; readonly title: string } {
    while (this.#at < this.#rtf.length) this.#next();
    this.#flush();
    return { page: this.#page, title: this.#title };
  }

  #next(): void {
    const character = this.#rtf[this.#at];
    if (character === '{') this.#openGroup();
    else if (character === '}') this.#closeGroup();
    else if (character === '\\') this.#control();
    else if (character === '\r' || character === '\n') this.#at += 1;
    else {
      RUN.lastIndex = this.#at;
      const run = RUN.exec(this.#rtf)?.[0] ?? '';
      this.#at += run.length;
      this.#groupStart = false;
      const skipped = Math.min(this.#skip, run.length);
      this.#skip -= skipped;
      for (let index = skipped; index < run.length; index += 1) this.#bytes.push(run.charCodeAt(index));
    }
  }

  #openGroup(): void {
    this.#flush();
    if (this.#open.length >= MAX_DEPTH) throw new DocumentError('nested_too_deeply');
    this.#open.push(this.#state);
    this.#at += 1;
    this.#skip = 0;
    this.#groupStart = true;
    this.#marked = false;
  }

  #closeGroup(): void {
    this.#flush();
    const left = this.#state.destination;
    this.#state = this.#open.pop() ?? this.#state;
    if (left === 'note' && this.#state.destination !== 'note') this.#page.endNote();
    if (left === 'styles' && this.#styleName !== '') this.#endStyle();
    this.#at += 1;
    this.#skip = 0;
    this.#groupStart = false;
  }

  #control(): void {
    WORD.lastIndex = this.#at;
    const [match, word, value] = WORD.exec(this.#rtf) ?? [];
    if (match === undefined || word === undefined) {
      this.#symbol(this.#rtf[this.#at + 1] ?? '');
      return;
    }
    this.#at += match.length;
    if (word === 'bin') this.#at += Math.max(0, Number(value ?? 0));
    else if (this.#skip > 0) this.#skip -= 1;
    else this.#word(word, value === undefined ? null : Number(value));
  }

  #symbol(symbol: string): void {
    this.#at += 2;
    if (symbol === "'") {
      const byte = Number.parseInt(this.#rtf.slice(this.#at, this.#at + 2), 16);
      this.#at += 2;
      if (this.#skip > 0) this.#skip -= 1;
      else if (!Number.isNaN(byte)) this.#bytes.push(byte);
    } else if (symbol === '*') this.#marked = true;
    else if (this.#skip > 0) this.#skip -= 1;
    else if (symbol === '~') this.#write(' ');
    else if (symbol === '_') this.#write('-');
    else if (symbol === '\n' || symbol === '\r') this.#word('par', null);
    else if (symbol === '\\' || symbol === '{' || symbol === '}') this.#bytes.push(symbol.charCodeAt(0));
    if (symbol !== '*') this.#groupStart = false;
  }

  #word(word: string, value: number | null): void {
    if (this.#groupStart) {
      this.#groupStart = false;
      if (this.#destination(word)) return;
    }
    if (word === 'u') {
      this.#write(String.fromCharCode((value ?? 0) & 0xffff));
      this.#skip = this.#state.fallbackCharacters;
    } else if (word in SYMBOLS) this.#write(SYMBOLS[word] ?? '');
    else if (this.#state.destination === 'fonts') this.#fontWord(word, value ?? 0);
    else if (this.#state.destination === 'styles') {
      if (word === 's') this.#state = { ...this.#state, entry: value ?? 0 };
    } else this.#textWord(word, value);
  }

  /** Returns whether the word names a destination of its group. */
  #destination(word: string): boolean {
    const known = DESTINATIONS[word];
    if (known === undefined && !WITHOUT_TEXT.has(word) && !(this.#marked && !MARKED_WITH_TEXT.has(word)))
      return false;
    const outside = this.#state.destination === 'nowhere' && word !== 'title';
    const destination = outside ? 'nowhere' : (known ?? 'nowhere');
    this.#state = { ...this.#state, destination };
    if (destination === 'marker') this.#page.beginMarker();
    return true;
  }

  #fontWord(word: string, value: number): void {
    if (word === 'f') this.#state = { ...this.#state, entry: value };
    const codePage = word === 'fcharset' ? CODE_PAGE_OF_CHARSET[value] : word === 'cpg' ? value : undefined;
    if (codePage !== undefined) this.#codePages.set(this.#state.entry, codePage);
  }

  #textWord(word: string, value: number | null): void {
    switch (word) {
      case 'ansicpg':
        this.#ansiCodePage = value ?? DEFAULT_CODE_PAGE;
        this.#useCodePage(this.#ansiCodePage);
        break;
      case 'mac':
        this.#ansiCodePage = 10000;
        this.#useCodePage(this.#ansiCodePage);
        break;
      case 'f':
        this.#useCodePage(this.#codePages.get(value ?? 0) ?? this.#ansiCodePage);
        break;
      case 'plain':
        this.#useCodePage(this.#ansiCodePage);
        this.#hide(false);
        break;
      case 'uc':
        this.#state = { ...this.#state, fallbackCharacters: Math.max(0, value ?? 1) };
        break;
      case 'v':
      case 'deleted':
        this.#hide(value !== 0);
        break;
      default:
        if (this.#state.destination === 'body') {
          this.#flush();
          this.#page.control(word, value);
        } else if (word === 'par') this.#write(' ');
    }
  }

  #useCodePage(codePage: number): void {
    this.#flush();
    this.#state = { ...this.#state, codePage };
  }

  #hide(hidden: boolean): void {
    this.#flush();
    this.#state = { ...this.#state, hidden };
  }

  #write(text: string): void {
    this.#flush();
    this.#deliver(text);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const { codePage } = this.#state;
    const encoding =
      ENCODINGS[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : 'windows-1252');
    const text = new TextDecoder(encoding).decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
    this.#deliver(text);
  }

  #deliver(text: string): void {
    if (this.#state.hidden) return;
    switch (this.#state.destination) {
      case 'body':
        this.#page.text(text);
        break;
      case 'marker':
        this.#page.markerText(text);
        break;
      case 'note':
        this.#page.noteText(text);
        break;
      case 'title':
        this.#title += text;
        break;
      case 'styles':
        this.#styleName += text;
        if (text.includes(';')) this.#endStyle();
        break;
      default:
    }
  }

  #endStyle(): void {
    this.#page.nameStyle(this.#state.entry, this.#styleName.replace(/;.*$/s, '').trim());
    this.#styleName = '';
  }
}
