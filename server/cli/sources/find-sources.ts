import { stat } from 'node:fs/promises';
import { FetchError, type GuardedRequest } from '../../../core/http-client.ts';
import { CommandError } from '../command-error.ts';
import { fileSource, type Skipped, walkFolder } from './file-source.ts';
import { maxDocumentBytes, type Source, SourceError, tooLargeError } from './source.ts';

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

const pageRequest = {
  headers: {
    accept: 'text/html, application/pdf, text/markdown, text/plain;q=0.9, */*;q=0.5',
    'user-agent': 'Parley/0.1 (document add)',
  },
  maxBytes: maxDocumentBytes,
  timeoutMs: 60_000,
} as const satisfies GuardedRequest;

/** Creates a source for a page or file on the web. It is identified by its URL. */
function pageSource(address: URL, { allowPrivate }: { readonly allowPrivate: boolean }): Source {
  const url = new URL(address);
  url.hash = '';
  return {
    name: address.href,
    async read(signal) {
      // Imported lazily, because it would slow down the start of every other command.
      const { guardedFetch } = await import('../../../core/http-client.ts');
      try {
        const { status, headers, bytes } = await guardedFetch(url.href, {
          ...pageRequest,
          allowPrivate,
          signal,
        });
        if (status < 200 || status > 299) {
          throw new SourceError('page_refused', `The URL responded with status ${status}.`);
        }
        const fileName = fileNameFromUrl(url);
        return {
          bytes: new Uint8Array(bytes),
          fileName,
          contentType: headers.get('content-type'),
          url: url.href,
        };
      } catch (error) {
        if (error instanceof FetchError) throw toSourceError(error);
        throw error;
      }
    },
  };
}

/** Returns the last part of the path. Its extension can indicate the format if the content type does not. */
function fileNameFromUrl(url: URL): string {
  return decodeOrKeep(url.pathname.split('/').at(-1) ?? '') || url.hostname;
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toSourceError(error: FetchError): SourceError {
  if (error.code === 'too_large') return tooLargeError('The page');
  const hint = error.code === 'address_refused' ? ' Add --allow-private if you trust the server.' : '';
  return new SourceError(error.code, `${error.message}${hint}`, { cause: error });
}
