import { stat } from 'node:fs/promises';
import { CommandError } from '../command-error.ts';
import { fileSource, type Skipped, walkFolder } from './file-source.ts';
import { pageSource } from './page-source.ts';
import type { Source } from './source.ts';

interface FoundSources {
  readonly sources: readonly Source[];
  readonly skipped: readonly Skipped[];
}

/**
 * What the arguments of `document add` stand for: a page, a file, or all documents below a folder.
 * Throws a CommandError for one that is none of these, before anything is added.
 */
export async function findSources(
  given: readonly string[],
  options: { readonly allowPrivate: boolean },
): Promise<FoundSources> {
  const sources: Source[] = [];
  const skipped: Skipped[] = [];
  for (const each of given) {
    if (/^https?:\/\//i.test(each)) sources.push(pageSource(parseAddress(each), options));
    else if (await isFolder(each)) {
      const inside = await walkFolder(each);
      sources.push(...inside.files.map(fileSource));
      skipped.push(...inside.skipped);
    } else sources.push(fileSource(each));
  }
  return { sources, skipped };
}

function parseAddress(text: string): URL {
  const url = URL.parse(text);
  if (url !== null) return url;
  throw new CommandError(`${text} is not a valid address.`, { code: 'invalid_address', exitCode: 2 });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new CommandError(
      isMissing ? `There is no file or folder ${path}.` : `${path} cannot be read: ${String(error)}.`,
      { code: isMissing ? 'file_not_found' : 'unreadable_file', hint: 'Nothing was added.' },
    );
  }
}
