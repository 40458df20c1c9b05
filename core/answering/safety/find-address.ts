/** Anything with a scheme or two slashes, `www.`, and a domain with a path; endless words take no endless time. */
const ADDRESS =
  /[a-z][a-z\d+.-]{0,30}:[\\/]\S*|(?:javascript|vbscript|data):\S*|[\\/]{2}\S*|www\.\S*|(?:[\p{L}\p{N}-]{1,63}\.){1,20}\p{L}{2,24}(?::\d{1,5})?[/?#]\S*/iu;
const CLOSING = /(?<![.,;:?*_~。，、])[.,;:?*_~。，、]+$/u;
/** Every address has one of these: a quick look spares most words the long one. */
const MARK = /[:/\\?#]|www\./iu;

export interface FoundAddress {
  readonly index: number;
  readonly address: string;
  /** The punctuation behind it, which belongs to the sentence. */
  readonly closing: string;
}

/** The first address in a text, which need not be a valid one. */
export function findAddress(text: string): FoundAddress | null {
  const found = MARK.test(text) ? ADDRESS.exec(text) : null;
  if (found === null) return null;
  const [closing = ''] = CLOSING.exec(found[0]) ?? [];
  const address = found[0].slice(0, found[0].length - closing.length);
  return { index: found.index, address, closing };
}
