import type { GuardedRequest } from '../../../core/http-client.ts';
import { FetchError } from '../../../core/http-client.ts';
import type { Source } from './source.ts';
import { maxDocumentBytes, SourceError, tooLargeError } from './source.ts';

const pageRequest = {
  headers: {
    accept: 'text/html, application/pdf, text/markdown, text/plain;q=0.9, */*;q=0.5',
    'user-agent': 'Parley/0.1 (document add)',
  },
  maxBytes: maxDocumentBytes,
  timeoutMs: 60_000,
} as const satisfies GuardedRequest;

/** A page or file on the web as a source; it is known by its address. */
export function pageSource(address: URL, { allowPrivate }: { readonly allowPrivate: boolean }): Source {
  const url = new URL(address);
  url.hash = '';
  return {
    name: address.href,
    async read(signal) {
      // Loaded only here: it would slow down the start of every other command.
      const { guardedFetch } = await import('../../../core/http-client.ts');
      try {
        const { status, headers, bytes } = await guardedFetch(url.href, {
          ...pageRequest,
          allowPrivate,
          signal,
        });
        if (status < 200 || status > 299) {
          throw new SourceError('page_refused', `The address answered with status ${status}.`);
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

/** The last part of its path, which may tell the format where the content type does not. */
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
  const hint = error.code === 'address_refused' ? ' Add --allow-private if you trust it.' : '';
  return new SourceError(error.code, `${error.message}${hint}`, { cause: error });
}
