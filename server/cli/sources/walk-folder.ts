import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { declaredFormat } from '../../../core/knowledge/loaders/declared-format.ts';

export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

export interface FolderFiles {
  readonly files: readonly string[];
  readonly skipped: readonly Skipped[];
}

/** The files below a folder that look like documents, in the order of their paths, and what is left out and why. */
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
  if (entry.name === 'node_modules') return 'packages, not documents';
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.isDirectory()) return null;
  if (!entry.isFile()) return 'not a file';
  const format = declaredFormat({ bytes: new Uint8Array(), contentType: null, fileName: entry.name });
  if (format !== null) return null;
  const extension = extname(entry.name);
  return extension === '' ? 'no extension' : `unknown extension ${extension}`;
}
