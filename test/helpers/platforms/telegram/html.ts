export interface TelegramEntity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly argument: string | null;
}

export type ReadHtml =
  | { readonly text: string; readonly entities: readonly TelegramEntity[] }
  | { readonly fault: string };

const tags: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  a: 'text_link',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
};

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const token = /<(\/?)([a-z]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>|&(\w+);|([^<&]+)|([<&])/gi;

/** Reads HTML as Telegram does: strict about tags, unlike a browser. Code within `pre` names its language. */
export function readTelegramHtml(html: string): ReadHtml {
  const entities: TelegramEntity[] = [];
  const open: { tag: string; offset: number; argument: string | null }[] = [];
  let text = '';
  for (const [raw, slash, tag = '', attributes = '', entity, letters] of html.matchAll(token)) {
    if (letters !== undefined) text += letters;
    else if (entity !== undefined) text += named[entity] ?? raw;
    else if (raw === '&') text += raw;
    else if (tags[tag.toLowerCase()] === undefined) return { fault: `Unsupported start tag "${tag}"` };
    else if (slash === '') {
      const argument = /(?:href|class)="([^"]*)"/.exec(attributes)?.[1] ?? null;
      open.push({ tag: tag.toLowerCase(), offset: text.length, argument: argument && decoded(argument) });
    } else {
      const last = open.pop();
      if (last?.tag !== tag.toLowerCase()) return { fault: `Unmatched end tag, found "</${tag}>"` };
      const { offset, argument } = last;
      entities.push({ type: tags[last.tag] ?? '', offset, length: text.length - offset, argument });
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined)
    return { fault: `Can't find end tag corresponding to start tag "${unclosed.tag}"` };
  return { text, entities: entities.filter(({ length }) => length > 0) };
}

function decoded(text: string): string {
  return text.replaceAll(/&(\w+);/g, (raw, name: string) => named[name] ?? raw);
}
