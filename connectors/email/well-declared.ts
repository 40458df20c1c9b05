import { isUtf8 } from 'node:buffer';
import { detect } from 'chardet';

const asciiLabel = /charset\s*=\s*"?us-ascii"?/gi;
const otherLabel = /charset\s*=\s*"?(?!utf-?8|us-ascii)[\w-]/i;
const SAMPLE = 100_000;

/** A mail whose letters are of the charset that it names, where it names none or a wrong one. */
export function wellDeclared(source: Uint8Array): Uint8Array {
  if (source.every((byte) => byte < 0x80)) return source;
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (isUtf8(bytes)) return named(bytes);
  return otherLabel.test(bytes.toString('latin1')) ? source : named(asUtf8(bytes));
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
