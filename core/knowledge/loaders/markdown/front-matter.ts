import { parse as parseToml, TomlError } from 'smol-toml';
import { parse as parseYaml, YAMLError } from 'yaml';
import { webAddress } from '../web-address.ts';

export interface FrontMatter {
  readonly title: string | null;
  readonly url: string | null;
  /** The text after the front matter. */
  readonly body: string;
}

const OPENING = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n/;
const CLOSING = { '---': /^---[ \t]*(?:\r?\n|$)/m, '+++': /^\+\+\+[ \t]*(?:\r?\n|$)/m } as const;
const FIRST_FIELD = /^\s*[\w-]+\s*[:=]/;

/** Takes YAML (`---`) or TOML (`+++`) front matter off a text. Text between two rules that names no fields stays text. */
export function readFrontMatter(text: string): FrontMatter {
  const [opening = '', fence] = OPENING.exec(text) ?? [];
  const inside = text.slice(opening.length);
  const closing = CLOSING[fence === '+++' ? '+++' : '---'].exec(inside);
  const block = inside.slice(0, closing?.index ?? 0).replace(/\r?\n$/, '');
  if (opening === '' || closing === null || !FIRST_FIELD.test(block.replace(/^[ \t]*#.*$/gm, ''))) {
    return { title: null, url: null, body: text };
  }
  const fields = fence === '+++' ? parseFields(block, parseToml) : parseFields(block, parseYaml);
  return {
    title: textOf(fields.title) ?? titleLine(block),
    url: webAddress(fields.url) ?? webAddress(fields.canonical) ?? webAddress(fields.canonical_url),
    body: inside.slice(closing.index + closing[0].length),
  };
}

function parseFields(block: string, parse: (block: string) => unknown): Readonly<Record<string, unknown>> {
  try {
    const value = parse(block);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    // An unquoted colon in a title is the usual case: the other fields do not matter enough to refuse the document.
    if (error instanceof YAMLError || error instanceof TomlError || error instanceof ReferenceError)
      return {};
    throw error;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || null : null;
}

function titleLine(block: string): string | null {
  return (
    /^title\s*[:=]\s*(.+)$/m
      .exec(block)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2') || null
  );
}
