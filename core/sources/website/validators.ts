import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../contract/account.ts';

/** A page after its last reading. */
const validatorsSchema = z.object({
  /** Validators of another reading or of other settings do not count. */
  reading: z.string(),
  etag: z.string().nullable(),
  modified: z.string().nullable(),
  /** The digests: of the links, and of the content with the links. */
  links: z.string(),
  digest: z.string(),
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
