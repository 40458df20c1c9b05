import { createHash } from 'node:crypto';

export interface TextMeasure {
  /** Characters of text, without tags and repeated white space. */
  readonly size: number;
  /**
   * Two hashes with a full stop between them: of the words without numbers, because times and tokens differ from page
   * to page, and of the words with numbers. Words of the page's own address count in neither.
   */
  readonly fingerprint: string;
}

/** For a longer text, its beginning is enough. */
const MOST_BYTES = 2_000_000;
const BINARY = /pdf|zip|octet-stream|officedocument|msword|epub|rtf|^(?:image|audio|video)\//i;

/** Measures what a source has sent, to compare it with the reading before. Other formats than text count by their bytes. */
export function measureText(
  bytes: Uint8Array,
  { contentType, key }: { readonly contentType: string; readonly key: string },
): TextMeasure {
  if (BINARY.test(contentType))
    return { size: bytes.byteLength, fingerprint: `${hash(bytes)}.${hash(bytes)}` };
  const text = new TextDecoder().decode(bytes.subarray(0, MOST_BYTES));
  const plain = /html|xml/i.test(contentType) ? withoutTags(text) : text;
  const own = new Set(wordsOf(key));
  const words = wordsOf(plain).filter((word) => !own.has(word));
  const loose = words.filter((word) => !/\p{N}/u.test(word));
  return {
    size: plain.replace(/\s+/g, ' ').trim().length,
    fingerprint: `${hash(loose.join(' '))}.${hash(words.join(' '))}`,
  };
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

export function withoutTags(html: string): string {
  const parts: string[] = [];
  for (let at = 0; at < html.length; ) {
    const start = html.indexOf('<', at);
    if (start === -1) {
      parts.push(html.slice(at));
      break;
    }
    parts.push(html.slice(at, start));
    const end = html.indexOf('>', start);
    if (end === -1) break;
    at = end + 1;
  }
  return parts.join(' ');
}
