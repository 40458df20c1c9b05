import { readFile, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { maxDocumentBytes, tooLarge } from './document-size.ts';
import type { Source } from './source.ts';
import { SourceError } from './source-error.ts';

/** Stands between the folders of a name: what receives a form keeps nothing before the last slash (RFC 7578). */
const separator = ' › ';

/**
 * A file as a source. It is known by its path from the current folder, so that files of one name in different
 * folders are different documents, and a folder added again replaces what it added before.
 */
export function fileSource(path: string): Source {
  const folders = relative('.', path).split(sep);
  const fileName = folders.filter((part) => part !== '..').join(separator);
  return {
    name: path,
    async read() {
      try {
        const { size } = await stat(path);
        if (size > maxDocumentBytes) throw tooLarge('The file');
        return { bytes: new Uint8Array(await readFile(path)), fileName, contentType: null, url: null };
      } catch (error) {
        if (error instanceof SourceError || !(error instanceof Error)) throw error;
        throw new SourceError('unreadable_file', `The file cannot be read: ${error.message}.`, {
          cause: error,
        });
      }
    },
  };
}
