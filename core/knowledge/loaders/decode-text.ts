import { analyse } from 'chardet';

const CHARSET_SAMPLE_BYTES = 65_536;
const DECLARATION_BYTES = 1024;
const ESCAPE = 0x1b;
const DOLLAR = 0x24;
/** Of the characters outside ASCII: more than this, and the text was never UTF-8. */
const MAX_BROKEN_SHARE = 0.05;

/**
 * Decodes a text file. The bytes are believed before anybody's word: a byte order mark, then UTF-8, then the declared
 * encoding, then what the bytes look like, then windows-1252, which reads anything.
 */
export function decodeText(bytes: Uint8Array, declaredEncoding: string | null): string {
  const certain = detectUtf16(bytes) ?? escapedEncoding(bytes);
  if (certain !== null) return new TextDecoder(certain).decode(bytes);
  return (
    decodeStrictly(bytes, 'utf-8') ??
    decodeNearlyUtf8(bytes) ??
    decodeStrictly(bytes, declaredEncoding ?? parseStatedEncoding(bytes)) ??
    decodeStrictly(bytes, likelyEncoding(bytes)) ??
    new TextDecoder('windows-1252').decode(bytes)
  );
}

/** ISO-2022-JP is plain ASCII apart from its escapes, so it would pass for UTF-8. */
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
    // RangeError: no such encoding; TypeError: the bytes are not in it. Both mean that another one has to be tried.
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

/** A few bad bytes (a file cut off within a character, a pasted fragment) do not make UTF-8 another encoding. */
function decodeNearlyUtf8(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const foreign = text.match(/[\u0080-\u{10ffff}]/gu)?.length ?? 0;
  return broken <= foreign * MAX_BROKEN_SHARE || (broken === 1 && foreign > 1)
    ? text.replaceAll('\ufffd', '')
    : null;
}

function likelyEncoding(bytes: Uint8Array): string | null {
  const foreign = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, foreign - CHARSET_SAMPLE_BYTES / 4);
  const [best] = analyse(bytes.subarray(start, start + CHARSET_SAMPLE_BYTES));
  return best === undefined || best.name.startsWith('UTF') ? null : best.name;
}

const UTF16_SAMPLE_BYTES = 65_536;
const MIN_ZERO_SHARE = 0.2;

/**
 * UTF-16 by its byte order mark, or without one: Western text has a zero in every other byte there, which no other
 * text encoding has and no binary format keeps up.
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
  const many = sample.length * MIN_ZERO_SHARE;
  if (odd > many && even < odd / 10) return 'utf-16le';
  if (even > many && odd < even / 10) return 'utf-16be';
  return null;
}
