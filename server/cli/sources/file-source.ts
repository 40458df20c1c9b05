import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { declaredFormat } from '../../../core/knowledge/loaders/declared-format.ts';
import { maxDocumentBytes, type Source, SourceError, tooLargeError } from './source.ts';

/**
 * Joins the folders of a name. A slash is not possible: servers drop everything before the last slash of a
 * file name (RFC 7578).
 */
const separator = ' › ';

/**
 * Creates a source for a file. It is identified by its path relative to the current folder, so that files
 * with the same name in different folders are different documents, and adding a folder again replaces its
 * documents.
 */
export function fileSource(path: string): Source {
  const folders = relative('.', path).split(sep);
  const fileName = folders.filter((part) => part !== '..').join(separator);
  return {
    name: path,
    async read() {
      try {
        const { size } = await stat(path);
        if (size > maxDocumentBytes) throw tooLargeError('The file');
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

export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

interface FolderFiles {
  readonly files: readonly string[];
  readonly skipped: readonly Skipped[];
}

/** Returns the documents below a folder, sorted by path, and the skipped entries with their reasons. */
export async function walkFolder(folder: string): Promise<FolderFiles> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const files: string[] = [];
  const skipped: Skipped[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const reason = reasonToSkip(entry);
    if (reason !== null) {
      skipped.push({ path, reason });
    } else if (entry.isDirectory()) {
      const inside = await walkFolder(path);
      files.push(...inside.files);
      skipped.push(...inside.skipped);
    } else {
      files.push(path);
    }
  }
  return { files, skipped };
}

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

function reasonToSkip(entry: Entry): string | null {
  if (entry.name.startsWith('.')) return 'hidden';
  if (entry.name === 'node_modules') return 'a package folder';
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.isDirectory()) return null;
  if (!entry.isFile()) return 'not a file';
  const format = declaredFormat({ bytes: new Uint8Array(), contentType: null, fileName: entry.name });
  // Folders of documents hold the pictures that their pages show. A picture that is named itself is added.
  if (format === 'image') return 'a picture';
  if (format !== null) return null;
  const extension = extname(entry.name);
  return extension === '' ? 'no extension' : `unknown extension ${extension}`;
}

const maxPathsPerReason = 5;

/** Returns one line per reason, with the first few paths. */
export function describeSkipped(skipped: readonly Skipped[]): string[] {
  const byReason = Map.groupBy(skipped, ({ reason }) => reason);
  return [...byReason].map(([reason, those]) => {
    const named = those.slice(0, maxPathsPerReason).map(({ path }) => path);
    const others = those.length - named.length;
    return `Skipped ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}: ${reason}.`;
  });
}
