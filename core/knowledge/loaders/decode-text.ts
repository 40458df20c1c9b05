import { analyse } from 'chardet';

const CHARSET_SAMPLE_BYTES = 65_536;
const DECLARATION_BYTES = 1024;
const ESCAPE = 0x1b;
const DOLLAR = 0x24;
/** Above this share of invalid sequences among non-ASCII characters, a text is not UTF-8. */
const MAX_BROKEN_SHARE = 0.05;

/**
 * Decodes a text file. Evidence in the bytes precedes declarations: a byte order mark, then UTF-8, then the declared
 * encoding, then a statistical guess, then windows-1252, which decodes any bytes.
 */
export function decodeText(bytes: Uint8Array, declaredEncoding: string | null): string {
  const certain = detectUtf16(bytes) ?? escapedEncoding(bytes);
  if (certain !== null) return new TextDecoder(certain).decode(bytes);
  return (
    decodeStrictly(bytes, 'utf-8') ??
    decodeNearlyUtf8(bytes) ??
    decodeStrictly(bytes, declaredEncoding ?? parseStatedEncoding(bytes)) ??
    decodeStrictly(bytes, guessEncoding(bytes)) ??
    new TextDecoder('windows-1252').decode(bytes)
  );
}

/** ISO-2022-JP consists of ASCII bytes and escapes, so it would also decode as UTF-8. */
function escapedEncoding(bytes: Uint8Array): string | null {
  const position = bytes.subarray(0, CHARSET_SAMPLE_BYTES).indexOf(ESCAPE);
  return position >= 0 && bytes[position + 1] === DOLLAR ? 'iso-2022-jp' : null;
}

function parseStatedEncoding(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  if (!start.trimStart().startsWith('<')) return null;
  return /(?:charset|encoding)\s*=\s*["']?([\w:-]+)/i.exec(start)?.[1] ?? null;
}

function decodeStrictly(bytes: Uint8Array, encoding: string | null): string | null {
  if (encoding === null) return null;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    // RangeError: unknown encoding. TypeError: the bytes are invalid in it. Both mean that the next encoding is tried.
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Tolerates a few invalid bytes in UTF-8, such as a truncated last character or a pasted fragment. */
function decodeNearlyUtf8(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const foreign = text.match(/[\u0080-\u{10ffff}]/gu)?.length ?? 0;
  return broken <= foreign * MAX_BROKEN_SHARE || (broken === 1 && foreign > 1)
    ? text.replaceAll('\ufffd', '')
    : null;
}

function guessEncoding(bytes: Uint8Array): string | null {
  const foreign = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, foreign - CHARSET_SAMPLE_BYTES / 4);
  const [best] = analyse(bytes.subarray(start, start + CHARSET_SAMPLE_BYTES));
  return best === undefined || best.name.startsWith('UTF') ? null : best.name;
}

const UTF16_SAMPLE_BYTES = 65_536;
const MIN_ZERO_SHARE = 0.2;

/**
 * Detects UTF-16 by its byte order mark or its zero bytes: every other byte of Western text is zero, which occurs in no
 * other text encoding and not consistently in binary formats.
 */
export function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, UTF16_SAMPLE_BYTES);
  let even = 0;
  let odd = 0;
  sample.forEach((byte, index) => {
    if (byte !== 0) return;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  });
  const threshold = sample.length * MIN_ZERO_SHARE;
  if (odd > threshold && even < odd / 10) return 'utf-16le';
  if (even > threshold && odd < even / 10) return 'utf-16be';
  return null;
}
