/** Anything with a scheme or two slashes, `www.`, and a domain with a path. */
const ADDRESS =
  /[a-z][a-z\d+.-]*:[\\/]\S*|(?:javascript|vbscript|data):\S*|[\\/]{2}\S*|www\.\S*|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}(?::\d+)?[/?#]\S*/iu;
const CLOSING = /[.,;:?*_~。，、]+$/u;
/** No address is without one of these. */
const MARK = /[:/\\.]/u;

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
