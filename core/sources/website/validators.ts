import { createHash } from 'node:crypto';
import { z } from 'zod';
import { FetchError } from '../../base/http-client.ts';
import { ItemError, type ReadContent, type ReadResult } from '../source-reader.ts';
import type { SiteAnswer } from './requests/site-client.ts';
import type { Generation } from './template/site-template.ts';

/** A page after its last reading. */
export const validatorsSchema = z.object({
  /** Validators of another reading or of other settings do not count. */
  reading: z.string(),
  etag: z.string().nullable(),
  modified: z.string().nullable(),
  /** Of the content and the links. */
  digest: z.string(),
  /** How much was known of the site's template when the page was cut; absent for other files. */
  generation: z.tuple([z.int(), z.int()]).optional(),
  /** It was too large to be read. */
  isTooLarge: z.boolean().optional(),
});

export type Validators = z.output<typeof validatorsSchema>;

/** Conditions are those of the last reading under the same settings. */
export function conditionsFor(known: Validators | null): Readonly<Record<string, string>> {
  return {
    ...(known === null || known.etag === null ? {} : { 'if-none-match': known.etag }),
    ...(known === null || known.modified === null ? {} : { 'if-modified-since': known.modified }),
  };
}

export type PageContent = Pick<ReadContent, 'bytes' | 'contentType' | 'found' | 'fileName' | 'title'> & {
  readonly generation?: Generation;
};

interface Compared {
  readonly reading: string;
  readonly known: Validators | null;
  readonly answer: SiteAnswer;
  readonly links: readonly string[];
  readonly title: string | undefined;
  readonly key: string;
  /** The headers tell of the page before a script drew it. */
  readonly isRendered: boolean;
}

/** Adds what tells at the next reading whether the item has changed, or returns that it has not. */
export function toContent(
  { generation, ...content }: PageContent,
  { reading, known, answer, links, title, key, isRendered }: Compared,
): ReadResult {
  const digest = createHash('sha256').update(content.bytes).update(links.join('\n')).digest('base64url');
  if (known?.digest === digest) return { kind: 'unchanged' };
  const validators = {
    reading,
    ...(isRendered ? { etag: null, modified: null } : headersOf(answer.response.headers)),
    digest,
    ...(generation === undefined ? {} : { generation: [...generation] }),
  };
  const shown = content.title ?? title;
  return {
    kind: 'content',
    url: key,
    ...content,
    ...(shown === undefined ? {} : { title: shown }),
    validators,
    differs: known !== null,
  };
}

function headersOf(headers: Pick<Headers, 'get'>): Pick<Validators, 'etag' | 'modified'> {
  return {
    etag: headers.get('etag')?.slice(0, 500) ?? null,
    modified: headers.get('last-modified')?.slice(0, 100) ?? null,
  };
}

/** Returns an error with what spares the next run to fetch a page again that is too large. Any other error stays as it is. */
export function withConditions(error: unknown, reading: string): unknown {
  if (!(error instanceof ItemError) || error.code !== 'too_large') return error;
  const headers = error.cause instanceof FetchError ? error.cause.headers : null;
  if (headers === null) return error;
  const { etag, modified } = headersOf(headers);
  if (etag === null && modified === null) return error;
  const validators = { reading, etag, modified, digest: '', isTooLarge: true };
  return new ItemError(error.code, error.message, { cause: error.cause, validators });
}
