import { createElement, Fragment, type ReactNode } from 'react';

/** The meaning of marks. Platforms differ: one star is bold on WhatsApp. */
type Marks = readonly (readonly [mark: string, element: 'strong' | 'em' | 'del'])[];

export const commonMarks: Marks = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'del'],
  ['*', 'em'],
  ['_', 'em'],
];

export const whatsappMarks: Marks = [
  ['*', 'strong'],
  ['_', 'em'],
  ['~', 'del'],
];

/** Draws emphasis, inline code and links of one text as React nodes. A mark without its partner stays as it is. */
export function drawLine(text: string, marks: Marks = commonMarks): ReactNode {
  const nodes: ReactNode[] = [];
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const span = readSpan(text, at, marks);
    if (span === null) {
      const escaped = text[at] === '\\' && isMark(text[at + 1]);
      plain += escaped ? text[at + 1] : text[at];
      at += escaped ? 2 : 1;
      continue;
    }
    if (plain !== '') nodes.push(plain);
    plain = '';
    // Spans of one text do not change places.
    nodes.push(<Fragment key={at}>{span.node}</Fragment>);
    at = span.end;
  }
  if (plain !== '') nodes.push(plain);
  return nodes;
}

interface Span {
  readonly end: number;
  readonly node: ReactNode;
}

/** Deeper nesting is not drawn, because a hostile text would take long. */
const mostChars = 4_000;

function readSpan(text: string, at: number, marks: Marks): Span | null {
  const char = text[at];
  if (char === '`') return readCode(text, at);
  if (char === '[') return readLink(text, at, marks);
  if (char === 'h' && !isWord(text[at - 1])) return readAddress(text, at);
  for (const [mark, element] of marks) {
    if (!text.startsWith(mark, at)) continue;
    const span = readEmphasis(text, at, mark);
    if (span === null) continue;
    const inner = drawLine(span.inner, marks);
    return { end: span.end, node: createElement(element, null, inner) };
  }
  return null;
}

function readCode(text: string, at: number): Span | null {
  const end = text.indexOf('`', at + 1);
  if (end === -1 || end === at + 1) return null;
  return { end: end + 1, node: <code>{text.slice(at + 1, end)}</code> };
}

function readEmphasis(text: string, at: number, mark: string) {
  const begin = at + mark.length;
  const next = text[begin];
  if (next === undefined || next === ' ' || next === '\n' || next === mark[0]) return null;
  // Within a word, an underscore is part of a name.
  if (mark.startsWith('_') && isWord(text[at - 1])) return null;
  const end = text.slice(begin, begin + mostChars).indexOf(mark, 1);
  if (end === -1 || text[begin + end - 1] === ' ') return null;
  const after = begin + end + mark.length;
  if (mark.startsWith('_') && isWord(text[after])) return null;
  return { inner: text.slice(begin, begin + end), end: after };
}

function readLink(text: string, at: number, marks: Marks): Span | null {
  const near = text.slice(at, at + mostChars);
  const length = near.indexOf('](');
  const close = at + length;
  if (length < 2) return null;
  const end = at + near.indexOf(')', length);
  if (end < close) return null;
  const shown = text.slice(at + 1, close);
  const target = text.slice(close + 2, end);
  if (shown.includes('\n') || shown.includes('[') || !isSafe(target)) return null;
  const to = withoutUser(target);
  const label = shown === target ? to : drawLine(shown, marks.slice(0, 0));
  return { end: end + 1, node: <Away to={to}>{label}</Away> };
}

function readAddress(text: string, at: number): Span | null {
  if (!text.startsWith('https://', at) && !text.startsWith('http://', at)) return null;
  let end = at;
  while (end < text.length && !' \n\t<>"'.includes(text[end] ?? ' ')) end += 1;
  while ('.,;:!?)*_~'.includes(text[end - 1] ?? ' ')) end -= 1;
  const target = text.slice(at, end);
  if (!isSafe(target)) return null;
  const to = withoutUser(target);
  return { end, node: <Away to={to}>{to}</Away> };
}

/** Removes the part before `@`, which passes for the host: `https://bank.example@attack.example` leads to the second. */
export function withoutUser(address: string): string {
  return address.replace(/^(https?:)[/\\]+[^/?#\\\s]*@/i, '$1//');
}

/** A visitor's link opens in a new tab without access to the dashboard. */
function Away({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

function isSafe(target: string): boolean {
  if (!target.startsWith('https://') && !target.startsWith('http://')) return false;
  return URL.canParse(target);
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char);
}

function isMark(char: string | undefined): boolean {
  return char !== undefined && '*_~`[]()#>|-+.!\\'.includes(char);
}
