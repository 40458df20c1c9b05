/** FNV-1a over UTF-16 code units as a signed 32-bit integer: what the index stores in place of a token. */
export function termHash(token: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < token.length; index += 1) {
    hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193);
  }
  return hash | 0;
}
