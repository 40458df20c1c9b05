import { createHash } from 'node:crypto';
import { analyse } from './analyse.ts';
import { passageText } from './passage-text.ts';
import { termHash } from './term-hash.ts';

/** How often each term occurs in a passage, and how many terms it has in all. */
export interface PassageTerms {
  readonly frequencies: ReadonlyMap<number, number>;
  readonly length: number;
}

export interface PassageSource {
  readonly title: string;
  readonly headings: readonly string[];
  readonly body: string;
}

const largestSmallint = 32_767;

/** The same for indexing and for removing: what was counted in is what is counted out. */
export function passageTerms(source: PassageSource): PassageTerms {
  const tokens = analyse(passageText(source.title, source.headings, source.body));
  const frequencies = new Map<number, number>();
  for (const token of tokens) {
    const term = termHash(token);
    frequencies.set(term, Math.min((frequencies.get(term) ?? 0) + 1, largestSmallint));
  }
  return { frequencies, length: Math.min(tokens.length, largestSmallint) };
}

/** Equal for passages whose vectors are equal. `model` names the embedding model. */
export function passageHash(source: PassageSource, model: string): string {
  const text = passageText(source.title, source.headings, source.body);
  return createHash('sha256').update(model).update('\0').update(text).digest('base64');
}

/** A vector as pgvector reads it. */
export function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toFixed(7)).join(',')}]`;
}
