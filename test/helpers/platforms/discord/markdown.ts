/** The visible form of a message. */
export interface ShownMessage {
  /** The letters, without any marks. */
  readonly text: string;
  readonly links: readonly string[];
  /** The faults in it: a fence without an end, a mention that notifies people, a spoiler. */
  readonly faults: readonly string[];
}

interface Reading {
  readonly links: string[];
  readonly faults: string[];
  readonly inner: (text: string) => string;
}

interface Rule {
  readonly pattern: RegExp;
  /** Returns the visible form of the match. */
  show(found: RegExpExecArray, reading: Reading): string;
}

const styled: Rule['show'] = ([, first, second], { inner }) => inner(first ?? second ?? '');

/**
 * The rules by which Discord's clients read text, in their order: the first that matches at a place applies. They are
 * those of simple-markdown with Discord's own; marks that match none are shown as they are.
 */
const rules: readonly Rule[] = [
  {
    pattern: /^```(?:([a-z0-9_+\-.#]+?)\n)?\n*([^\n][\s\S]*?)\n*```/i,
    show: ([, , code = '']) => code,
  },
  { pattern: /^\\([^0-9A-Za-z\s])/, show: ([, letter = '']) => letter },
  {
    pattern: /^<(https?:\/\/[^>\s]+)>/,
    show([, address = ''], { links }) {
      links.push(address);
      return address;
    },
  },
  {
    pattern: /^https?:\/\/[^\s<]+[^<.,:;"')\]\s]/,
    show([address], { faults }) {
      faults.push(`a preview of ${address}`);
      return address;
    },
  },
  {
    pattern: /^\[((?:\\.|[^[\]\\])+)\]\(<(https?:\/\/[^>\s]+)>\)/,
    show([, text = '', address = ''], { links, inner }) {
      links.push(address);
      return inner(text);
    },
  },
  {
    pattern:
      /^(?:<@!?\d+>|<@&\d+>|<#\d+>|@everyone|@here|<t:-?\d+(?::[tTdDfFR])?>|<a?:\w+:\d+>|<id:\w+>|<\/[^>]+:\d+>)/,
    show([whole], { faults }) {
      faults.push(`${whole} is called`);
      return whole;
    },
  },
  { pattern: /^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/, show: styled },
  { pattern: /^__((?:\\[\s\S]|[^\\])+?)__(?!_)/, show: styled },
  {
    pattern:
      /^\b_((?:__|\\[\s\S]|[^\\_])+?)_\b|^\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/,
    show: styled,
  },
  { pattern: /^~~([\s\S]+?)~~(?!_)/, show: styled },
  { pattern: /^(`+)([\s\S]*?[^`])\1(?!`)/, show: ([, , code = '']) => code.trim() },
  {
    pattern: /^\|\|([\s\S]+?)\|\|/,
    show(_found, { faults }) {
      faults.push('a spoiler');
      return '';
    },
  },
];

/** Reads a message as Discord's clients show it. */
export function readDiscordMarkdown(content: string): ShownMessage {
  const links: string[] = [];
  const faults: string[] = [];
  const inner = (text: string): string => {
    let shown = '';
    let rest = text;
    while (rest !== '') {
      const [length, piece] = readPiece(rest, { links, faults, inner });
      shown += piece;
      rest = rest.slice(length);
    }
    return shown;
  };
  const text = inner(linesOf(content, faults));
  return { text: text.replaceAll('\u200b', ''), links, faults };
}

function readPiece(text: string, reading: Reading): readonly [number, string] {
  for (const { pattern, show } of rules) {
    const found = pattern.exec(text);
    if (found !== null) return [found[0].length, show(found, reading)];
  }
  return [1, text.slice(0, 1)];
}

/** Returns the text without the marks at the beginning of lines, outside of code. */
function linesOf(content: string, faults: string[]): string {
  let isCode = false;
  const lines = content.split('\n').map((line) => {
    if (line.startsWith('```')) {
      isCode = !isCode;
      return line;
    }
    return isCode ? line : line.replace(/^> /, '').replace(/^(#{1,3} |(\s*)- )/, '$2');
  });
  if (isCode) faults.push('a code block without an end');
  return lines.join('\n');
}
