import { isUtf8 } from 'node:buffer';
import { fileEndings } from './file-types.ts';

export interface FileType {
  readonly contentType: string;
  /** The first is the usual one. */
  readonly endings: readonly [string, ...string[]];
}

const sampleBytes = 4_100;
/** What opens it might take it for a page or a picture with scripts. */
const markup = /^\s*</;
const controls = /(?![\t\n\v\f\r])\p{Cc}/u;

/** By its bytes alone, whatever it is called; null for what may not be sent. */
export async function fileTypeOf(bytes: Uint8Array): Promise<FileType | null> {
  // Servers begin without it.
  const { fileTypeFromBuffer } = await import('file-type');
  const known = await fileTypeFromBuffer(bytes.subarray(0, sampleBytes));
  const contentType = known === undefined ? (isPlainText(bytes) ? 'text/plain' : null) : known.mime;
  const found = Object.entries(fileEndings).find(([type]) => type === contentType);
  return found === undefined ? null : { contentType: found[0], endings: found[1] };
}

function isPlainText(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  const text = new TextDecoder().decode(bytes);
  return !controls.test(text) && !markup.test(text);
}
