import { isUtf8 } from 'node:buffer';
import { detect } from 'chardet';

/** No quotation marks to those who read mails, and yet written. */
const oddlyQuoted = /(charset\s*=\s*)'([\w.:-]{1,40})'/gi;
const asciiLabel = /charset\s*=\s*"?us-ascii"?/gi;
const otherLabel = /charset\s*=\s*"?(?!utf-?8|us-ascii)[\w-]/i;
const SAMPLE = 100_000;

/** A mail whose letters are of the charset that it names, where it names none or a wrong one. */
export function wellDeclared(source: Uint8Array): Uint8Array {
  const bytes = unquoted(Buffer.from(source.buffer, source.byteOffset, source.byteLength));
  if (bytes.every((byte) => byte < 0x80)) return bytes;
  if (isUtf8(bytes)) return named(bytes);
  return otherLabel.test(bytes.toString('latin1')) ? bytes : named(asUtf8(bytes));
}

function unquoted(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return text.search(oddlyQuoted) < 0 ? bytes : Buffer.from(text.replaceAll(oddlyQuoted, '$1$2'), 'latin1');
}

/** Letters beyond ASCII are not ASCII, whatever a mail says. */
function named(bytes: Buffer): Uint8Array {
  const text = bytes.toString('utf8');
  return text.search(asciiLabel) < 0 ? bytes : Buffer.from(text.replaceAll(asciiLabel, 'charset=utf-8'));
}

function asUtf8(bytes: Buffer): Buffer {
  const found = detect(bytes.subarray(0, SAMPLE)) ?? 'windows-1252';
  try {
    return Buffer.from(new TextDecoder(found.startsWith('UTF') ? 'windows-1252' : found).decode(bytes));
  } catch {
    // A charset that was recognised and cannot be read.
    return Buffer.from(new TextDecoder('windows-1252').decode(bytes));
  }
}
