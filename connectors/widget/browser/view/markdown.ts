/** An inline element. */
export type Span =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em' | 'del'; spans: Span[] }
  | { kind: 'link'; href: string; spans: Span[] }
  | { kind: 'break' };

export type Block =
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'heading'; spans: Span[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; start: number | null; items: Block[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'rule' };

const item = /^( {0,3})(?:([-*+])|(\d{1,9})[.)])( +)(.*)$/s;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const delimiter = /^ {0,3}\|?(?: *:?-+:? *\|)+ *(?:(?::?-+:?|::?) *)?\|?$/;
const maxDepth = 6;

/**
 * Parses the Markdown of answers. It never fails: incomplete or unknown markup is text, also while an answer is
 * streamed.
 */
export function parseMarkdown(text: string, depth = 0): Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const [block, next] = readBlock(lines, at, depth);
    if (block !== null) blocks.push(block);
    at = line.trim() === '' && next === at ? at + 1 : next;
  }
  return blocks;
}

function readBlock(lines: string[], at: number, depth: number): [Block | null, number] {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [null, at + 1];
  const opened = fence.exec(line)?.[1];
  if (opened !== undefined) return readCode(lines, at, opened);
  const heading = /^ {0,3}#{1,6}\s+(.*)$/s.exec(line)?.[1];
  if (heading !== undefined) return [{ kind: 'heading', spans: parseSpans(withoutClosing(heading)) }, at + 1];
  if (/^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/.test(line)) return [{ kind: 'rule' }, at + 1];
  if (/^ {0,3}>/.test(line) && depth < maxDepth) return readQuote(lines, at, depth);
  if (item.test(line) && depth < maxDepth) return readList(lines, at, depth);
  if (startsTable(lines, at)) return readTable(lines, at);
  return readParagraph(lines, at);
}

/** Removes the closing marks of a heading such as `Prices ##`. */
function withoutClosing(heading: string): string {
  return heading.replace(/(?<!#)#+$/, '').trimEnd();
}

function readCode(lines: string[], at: number, opened: string): [Block, number] {
  let until = at + 1;
  while (until < lines.length && !lines[until]?.trim().startsWith(opened)) until += 1;
  return [{ kind: 'code', text: lines.slice(at + 1, until).join('\n') }, until + 1];
}

function readQuote(lines: string[], at: number, depth: number): [Block, number] {
  let next = at;
  while (/^ {0,3}>/.test(lines[next] ?? '')) next += 1;
  const inner = lines.slice(at, next).map((line) => line.replace(/^ {0,3}> ?/, ''));
  return [{ kind: 'quote', blocks: parseMarkdown(inner.join('\n'), depth + 1) }, next];
}

function readList(lines: string[], at: number, depth: number): [Block, number] {
  const first = item.exec(lines[at] ?? '');
  const isOrdered = first?.[3] !== undefined;
  const items: string[][] = [];
  // An item begins further left than the text of the one before it. The first may be indented by three spaces.
  let indent = 4;
  let next = at;
  while (next < lines.length) {
    const line = lines[next] ?? '';
    const found = item.exec(line);
    if (found !== null && (found[3] !== undefined) === isOrdered && (found[1]?.length ?? 0) < indent) {
      indent = line.length - (found[5]?.length ?? 0);
      items.push([found[5] ?? '']);
    } else if (line.trim() === '') {
      const after = lines[next + 1] ?? '';
      if (!/^ {2,}\S/.test(after) && !item.test(after)) break;
      items.at(-1)?.push('');
    } else if (/^ {2,}/.test(line)) items.at(-1)?.push(line.slice(Math.min(indent, line.search(/\S/))));
    else break;
    next += 1;
  }
  const blocks = items.map((own) => parseMarkdown(own.join('\n'), depth + 1));
  return [{ kind: 'list', start: isOrdered ? Number(first?.[3]) : null, items: blocks }, next];
}

/** Returns whether a line is the head of a table, which the line of dashes below it tells. */
function startsTable(lines: string[], at: number): boolean {
  return lines[at]?.includes('|') === true && delimiter.test(lines[at + 1] ?? '');
}

function readTable(lines: string[], at: number): [Block, number] {
  let next = at + 2;
  while ((lines[next] ?? '').includes('|')) next += 1;
  const rows = lines.slice(at + 2, next).map(splitCells);
  return [{ kind: 'table', head: splitCells(lines[at] ?? ''), rows }, next];
}

function splitCells(line: string): Span[][] {
  const inner = line.trim().replace(/^\||\|$/g, '');
  return inner.split(/(?<!\\)\|/).map((cell) => parseSpans(cell.trim()));
}

function readParagraph(lines: string[], at: number): [Block, number] {
  let next = at + 1;
  while (next < lines.length && !endsParagraph(lines[next] ?? '') && !startsTable(lines, next)) next += 1;
  const text = lines
    .slice(at, next)
    .map((line) => line.trimStart())
    .join('\n');
  return [{ kind: 'paragraph', spans: parseSpans(text) }, next];
}

function endsParagraph(line: string): boolean {
  return line.trim() === '' || fence.test(line) || /^ {0,3}(?:#{1,6}\s|>)/.test(line) || item.test(line);
}

const marks = [
  { kind: 'strong', open: /^(\*\*|__)(?=\S)/ },
  { kind: 'del', open: /^(~~)(?=\S)/ },
  { kind: 'em', open: /^([*_])(?=[^\s*_])/ },
] as const;

/** Parses inline markup. */
function parseSpans(text: string): Span[] {
  const spans: Span[] = [];
  let plain = '';
  let rest = text;
  const flush = () => {
    if (plain !== '') spans.push({ kind: 'text', text: plain });
    plain = '';
  };
  while (rest !== '') {
    const [span, length] = readSpan(rest, plain.at(-1) ?? ' ');
    if (span === null) plain += rest.slice(0, length).replace(/^\\(?=.)/, '');
    else {
      flush();
      spans.push(span);
    }
    rest = rest.slice(length);
  }
  flush();
  return spans;
}

function readSpan(rest: string, before: string): [Span | null, number] {
  if (/^\\[!-/:-@[-`{-~]/.test(rest)) return [null, 2];
  if (rest.startsWith('\n')) return [{ kind: 'break' }, 1];
  const code = /^(`{1,20})([^`]|[^`][\s\S]{0,2000}?[^`])\1(?!`)/.exec(rest);
  if (code !== null) return [{ kind: 'code', text: code[2] ?? '' }, code[0].length];
  const link =
    /^!?\[((?:[^[\]\\]|\\.)*)\]\(\s{0,9}<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s{1,9}"[^"]{0,500}")?\s{0,9}\)/.exec(
      rest,
    );
  if (link !== null) return readLink(link);
  const address = /\w/.test(before) ? null : readAddress(rest);
  if (address !== null) return address;
  return readMarked(rest, before) ?? [null, /^(?:[\p{L}\p{N}]+| +)/u.exec(rest)?.[0].length ?? 1];
}

/** Parses a bare address, without the punctuation of its sentence. */
function readAddress(rest: string): [Span, number] | null {
  const [whole = '', found = ''] = /^<?(https?:\/\/[^\s<>"]+)/.exec(rest) ?? [];
  const href = found.replace(/(?<![.,;:!?)])[.,;:!?)]+$/, '');
  if (!/^https?:\/\/./.test(href)) return null;
  const isClosed = href === found && rest[whole.length] === '>';
  const length = whole.length - (found.length - href.length) + (isClosed ? 1 : 0);
  const address = withoutUser(href);
  return [{ kind: 'link', href: address, spans: [{ kind: 'text', text: address }] }, length];
}

function readLink(link: RegExpExecArray): [Span | null, number] {
  const [whole, label = '', target = ''] = link;
  const href = parseSafeUrl(target);
  const spans = label === target ? [] : parseSpans(label);
  if (href === null)
    return [{ kind: 'em', spans: spans.length > 0 ? spans : [{ kind: 'text', text: target }] }, whole.length];
  return [
    { kind: 'link', href, spans: spans.length > 0 ? spans : [{ kind: 'text', text: href }] },
    whole.length,
  ];
}

function readMarked(rest: string, before: string): [Span, number] | null {
  for (const { kind, open } of marks) {
    const mark = open.exec(rest)?.[1];
    if (mark === undefined || (mark.startsWith('_') && /[\p{L}\p{N}]/u.test(before))) continue;
    const end = closing(rest, mark);
    if (end !== -1) {
      return [{ kind, spans: parseSpans(rest.slice(mark.length, end)) }, end + mark.length];
    }
  }
  return null;
}

/** Maximum length of marked text, so that each mark is not searched for in the whole rest. */
const maxMarkedChars = 2_000;

/** Returns the end of a mark: after a character other than a space, and not inside a longer mark. */
function closing(rest: string, mark: string): number {
  const text = rest.slice(0, maxMarkedChars);
  for (let at = text.indexOf(mark, mark.length); at !== -1; at = text.indexOf(mark, at + 1)) {
    const [last = ' ', next = ''] = [text[at - 1], text[at + mark.length]];
    if (/\s|\\/.test(last)) continue;
    if (mark.length === 1 && (last === mark || next === mark)) continue;
    if (mark.startsWith('_') && /[\p{L}\p{N}]/u.test(next)) continue;
    return at;
  }
  return -1;
}

/** Returns an address that is safe to link to; null for any other. */
export function parseSafeUrl(target: string): string | null {
  return /^(?:https?:\/\/[^\s]+|mailto:[^\s]+)$/i.test(target) ? withoutUser(target) : null;
}

/** Removes the part before `@`, which passes for the host: `https://bank.example@attack.example` leads to the second. */
function withoutUser(address: string): string {
  return address.replace(/^(https?:)[/\\]+[^/?#\\\s]*@/i, '$1//');
}
