import { createHash } from 'node:crypto';
import { z } from 'zod';
import { FetchError } from '../../base/http-client.ts';
import type { Json } from '../../contract/account.ts';
import { ItemError } from '../source-reader.ts';

/** A page after its last reading. */
const validatorsSchema = z.object({
  /** Validators of another reading or of other settings do not count. */
  reading: z.string(),
  etag: z.string().nullable(),
  modified: z.string().nullable(),
  /** The digests: of the links, and of the content with the links. */
  links: z.string(),
  digest: z.string(),
  /** It was too large to be read. */
  isTooLarge: z.boolean().optional(),
});

export type Validators = z.output<typeof validatorsSchema>;

/** Returns the validators of the last reading, if it was the same kind of reading. */
export function parseValidators(validators: Json | null, reading: string): Validators | null {
  const { data } = validatorsSchema.safeParse(validators);
  return data?.reading === reading ? data : null;
}

/** Conditions are those of the last reading under the same settings. */
export function conditionsFor(known: Validators | null): Readonly<Record<string, string>> {
  return {
    ...(known === null || known.etag === null ? {} : { 'if-none-match': known.etag }),
    ...(known === null || known.modified === null ? {} : { 'if-modified-since': known.modified }),
  };
}

export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url');
}

export function headersOf(headers: Pick<Headers, 'get'>): Pick<Validators, 'etag' | 'modified'> {
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
  return tooLarge(error.message, { reading, etag, modified });
}

/** An error that makes the next run ask whether a page is still too large. */
export function tooLarge(
  message: string,
  { reading, etag, modified }: Pick<Validators, 'reading' | 'etag' | 'modified'>,
): ItemError {
  const validators = { reading, etag, modified, links: '', digest: '', isTooLarge: true };
  return new ItemError('too_large', message, { validators });
}
