import { createContext, Fragment, type ReactNode, useContext } from 'react';
import { drawLine } from './markdown-line.tsx';
import './markdown.css';

interface MarkdownTextProps {
  readonly text: string;
  /** Whether the text is a message: emphasis, links and inline code are drawn as well. */
  readonly spoken?: boolean;
}

const Spoken = createContext(false);

/**
 * Markdown as React nodes, never as HTML: headings, lists, tables, code and paragraphs, as the reader of documents
 * writes them. Everything else stays as it is.
 */
export function MarkdownText({ text, spoken = false }: MarkdownTextProps) {
  const lines = text.split('\n');
  const parts: ReactNode[] = [];
  for (let at = 0; at < lines.length; ) {
    const { end, node } = readBlock(lines, at);
    // Blocks of one text do not change places.
    if (node !== null) parts.push(<Fragment key={at}>{node}</Fragment>);
    at = end;
  }
  return (
    <Spoken value={spoken}>
      <div className="p-markdown" {...(spoken && { 'data-spoken': '' })}>
        {parts}
      </div>
    </Spoken>
  );
}

function Line({ text }: { readonly text: string }) {
  return useContext(Spoken) ? drawLine(text) : text;
}

interface BlockRead {
  /** The line after it. */
  readonly end: number;
  readonly node: ReactNode;
}

function readBlock(lines: readonly string[], at: number): BlockRead {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { end: at + 1, node: null };
  if (line.startsWith('```') || line.startsWith('~~~')) return readCode(lines, at);
  const level = headingLevel(line);
  if (level > 0) {
    const node = (
      <p className="p-markdown-heading" data-level={Math.min(level, 3)}>
        <Line text={line.slice(level + 1)} />
      </p>
    );
    return { end: at + 1, node };
  }
  if (line.startsWith('|')) return readTable(lines, at);
  if (line.startsWith('>')) return readQuote(lines, at);
  const isItem = startsItem(line);
  const end = findEnd(lines, at + 1, (next) =>
    isItem ? next.trim() === '' : next.trim() === '' || startsItem(next) || next.startsWith('|'),
  );
  const block = lines.slice(at, end);
  if (!isItem)
    return {
      end,
      node: (
        <p>
          <Line text={block.join('\n')} />
        </p>
      ),
    };
  const items = block.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines do not change places
    <div key={index} style={{ marginInlineStart: (item.length - item.trimStart().length) * 8 }}>
      <Line text={item.trimStart()} />
    </div>
  ));
  return { end, node: <div className="p-markdown-list">{items}</div> };
}

function readQuote(lines: readonly string[], at: number): BlockRead {
  const end = findEnd(lines, at + 1, (line) => !line.startsWith('>'));
  const quoted = lines.slice(at, end).map((line) => line.slice(line.startsWith('> ') ? 2 : 1));
  const node = (
    <blockquote>
      <Line text={quoted.join('\n')} />
    </blockquote>
  );
  return { end, node };
}

function readCode(lines: readonly string[], at: number): BlockRead {
  const fence = fenceOf(lines[at] ?? '');
  const end = findEnd(lines, at + 1, (line) => line.startsWith(fence));
  const node = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide block is scrolled with the keyboard
    <pre tabIndex={0}>{lines.slice(at + 1, end).join('\n')}</pre>
  );
  return { end: end + 1, node };
}

function fenceOf(line: string): string {
  let length = 0;
  while (line[length] === line[0]) length += 1;
  return line.slice(0, length);
}

function readTable(lines: readonly string[], at: number): BlockRead {
  const end = findEnd(lines, at + 1, (line) => !line.startsWith('|'));
  const [head = [], ...rows] = lines.slice(at, end).map(cellsOf);
  const body = rows.filter((cells) => !cells.every((cell) => cell.startsWith('---')));
  const node = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
    <div className="p-markdown-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells do not change places
              <th key={column}>
                <Line text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows do not change places
            <tr key={row}>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells do not change places
                <td key={column}>
                  <Line text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  return { end, node };
}

/** The cells of a row, whose own bars are written `\|`. */
function cellsOf(line: string): readonly string[] {
  const whole = line.trim().slice(1, line.trim().endsWith('|') ? -1 : undefined);
  return whole
    .replaceAll('\\|', '\0')
    .split('|')
    .map((cell) => cell.replaceAll('\0', '|').trim());
}

function findEnd(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const found = lines.slice(from).findIndex(isEnd);
  return found === -1 ? lines.length : from + found;
}

/** 1 to 6, or 0 for other lines. */
function headingLevel(line: string): number {
  let level = 0;
  while (line[level] === '#') level += 1;
  return level <= 6 && line[level] === ' ' ? level : 0;
}

function startsItem(line: string): boolean {
  const text = line.trimStart();
  if (text.startsWith('- ') || text.startsWith('* ')) return true;
  const digits = Number.parseInt(text, 10);
  return !Number.isNaN(digits) && text.startsWith(`${digits}. `);
}
