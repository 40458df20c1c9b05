import { storable } from '../storable.ts';
import type { FileType } from './file-type-of.ts';

const longest = 120;

/**
 * What a file is called that a visitor sent: without a path, without what is not seen or turns the writing round, and
 * with an ending that says what it is, for what opens it goes by that.
 */
export function fileName(told: string, { endings: [usual, ...others] }: FileType): string {
  const bare = storable(told).split(/[\\/]/).at(-1) ?? '';
  const clean = bare.replaceAll(/\p{C}/gu, '').trim();
  const [, stem = clean, ending = ''] = /^(.*)\.([^.]*)$/.exec(clean) ?? [];
  const isKnown = [usual, ...others].includes(ending.toLowerCase());
  const kept = Array.from(isKnown ? stem : clean)
    .slice(0, longest)
    .join('');
  return `${kept || 'file'}.${isKnown ? ending : usual}`;
}
