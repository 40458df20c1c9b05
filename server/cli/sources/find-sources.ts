import { stat } from 'node:fs/promises';
import { FetchError } from '../../../core/base/http-client.ts';
import { CommandError } from '../command-error.ts';
import { fileSource, type Skipped, walkFolder } from './file-source.ts';
import { type Source, SourceError, tooLargeError } from './source.ts';

interface FoundSources {
  readonly sources: readonly Source[];
  readonly skipped: readonly Skipped[];
}

/**
 * Returns the sources in the arguments of `document add`: pages, files, and all documents in folders. Throws
 * a CommandError for an argument that is none of these, before anything is added.
 */
export async function findSources(
  args: readonly string[],
  options: { readonly allowPrivate: boolean },
): Promise<FoundSources> {
  const sources: Source[] = [];
  const skipped: Skipped[] = [];
  for (const arg of args) {
    if (/^https?:\/\//i.test(arg)) sources.push(pageSource(parseAddress(arg), options));
    else if (await isFolder(arg)) {
      const inside = await walkFolder(arg);
      sources.push(...inside.files.map(fileSource));
      skipped.push(...inside.skipped);
    } else sources.push(fileSource(arg));
  }
  return { sources, skipped };
}

function parseAddress(text: string): URL {
  const url = URL.parse(text);
  if (url !== null) return url;
  throw new CommandError(`${text} is not a valid URL.`, { code: 'invalid_address', exitCode: 2 });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new CommandError(
      isMissing ? `The file or folder ${path} does not exist.` : `${path} cannot be read: ${String(error)}.`,
      { code: isMissing ? 'file_not_found' : 'unreadable_file', hint: 'No document was added.' },
    );
  }
}

/** Creates a source for a page or file on the web. It is identified by its URL. */
function pageSource(address: URL, { allowPrivate }: { readonly allowPrivate: boolean }): Source {
  const url = new URL(address);
  url.hash = '';
  return {
    name: address.href,
    async read(signal) {
      // The import is lazy, because it would slow down the start of every other command.
      const { fetchPage, ListOfPagesError, PageRefusedError } = await import(
        '../../../core/knowledge/fetch-page.ts'
      );
      try {
        return await fetchPage(url.href, { allowPrivate, signal });
      } catch (error) {
        if (error instanceof ListOfPagesError) throw listOfPagesError(url);
        if (error instanceof PageRefusedError) throw new SourceError('page_refused', error.message);
        if (error instanceof FetchError) throw toSourceError(error);
        throw error;
      }
    },
  };
}

function listOfPagesError({ href }: URL): SourceError {
  return new SourceError(
    'list_of_pages',
    `This is a list of pages. Add it as a source, which reads them and keeps them in step: npm run parley -- source add website ${href}`,
  );
}

function toSourceError(error: FetchError): SourceError {
  if (error.code === 'too_large') return tooLargeError('The page');
  const hint = error.code === 'address_refused' ? ' Add --allow-private if you trust the server.' : '';
  return new SourceError(error.code, `${error.message}${hint}`, { cause: error });
}
