/** What a person sees of a message. */
export interface ShownMessage {
  /** The letters, without any marks. */
  readonly text: string;
  readonly links: readonly string[];
  /** What went wrong in it: a fence without an end, somebody who is called, a spoiler. */
  readonly faults: readonly string[];
}

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
}

/**
 * The rules by which Discord's clients read text, in their order: the first that fits at a place is taken. They are those
 * of simple-markdown with Discord's own; marks that fit none are shown as they are.
 */
const rules: readonly Rule[] = [
  { name: 'codeBlock', pattern: /^```(?:([a-z0-9_+\-.#]+?)\n)?\n*([^\n][^]*?)\n*```/i },
  { name: 'escape', pattern: /^\\([^0-9A-Za-z\s])/ },
  { name: 'bracketed', pattern: /^<(https?:\/\/[^>\s]+)>/ },
  { name: 'url', pattern: /^https?:\/\/[^\s<]+[^<.,:;"')\]\s]/ },
  { name: 'link', pattern: /^\[((?:\\.|[^[\]\\])+)\]\(<(https?:\/\/[^>\s]+)>\)/ },
  { name: 'called', pattern: /^(?:<@!?\d+>|<@&\d+>|<#\d+>|@everyone|@here|<t:-?\d+(?::[tTdDfFR])?>|<a?:\w+:\d+>|<id:\w+>|<\/[^>]+:\d+>)/ },
  { name: 'bold', pattern: /^\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/ },
  { name: 'underline', pattern: /^__((?:\\[^]|[^\\])+?)__(?!_)/ },
  {
    name: 'italic',
    pattern: /^\b_((?:__|\\[^]|[^\\_])+?)_\b|^\*(?=\S)((?:\*\*|\\[^]|\s+(?:\\[^]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/,
  },
  { name: 'strike', pattern: /^~~([^]+?)~~(?!_)/ },
  { name: 'code', pattern: /^(`+)([^]*?[^`])\1(?!`)/ },
  { name: 'spoiler', pattern: /^\|\|([^]+?)\|\|/ },
];

/** Reads a message as Discord's clients show it. */
export function readDiscordMarkdown(content: string): ShownMessage {
  const links: string[] = [];
  const faults: string[] = [];
  const inner = (text: string): string => {
    let shown = '';
    let rest = text;
    while (rest !== '') {
      const [name, found] = firstRule(rest);
      const [whole = '', first = '', second = ''] = found ?? [];
      if (found === null) {
        shown += rest[0];
        rest = rest.slice(1);
        continue;
      }
      rest = rest.slice(whole.length);
      if (name === 'codeBlock') shown += second;
      else if (name === 'code') shown += second.trim();
      else if (name === 'escape') shown += first;
      else if (name === 'url' || name === 'bracketed') {
        links.push(name === 'url' ? whole : first);
        if (name === 'url') faults.push(`a preview of ${whole}`);
        shown += name === 'url' ? whole : first;
      } else if (name === 'link') {
        links.push(second);
        shown += inner(first);
      } else if (name === 'called') {
        faults.push(`${whole} is called`);
        shown += whole;
      } else if (name === 'spoiler') faults.push('a spoiler');
      else shown += inner(first || second);
    }
    return shown;
  };
  const text = inner(linesOf(content, faults));
  return { text: text.replaceAll('\u200b', ''), links, faults };
}

function firstRule(text: string): [string, RegExpExecArray | null] {
  for (const { name, pattern } of rules) {
    const found = pattern.exec(text);
    if (found !== null) return [name, found];
  }
  return ['text', null];
}

/** Without the marks that stand at the beginning of lines, outside of code. */
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
