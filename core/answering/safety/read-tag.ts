import { findAddress } from './find-address.ts';

interface ReadOptions {
  /** Whether no more will come. */
  readonly ended: boolean;
  isForeign(address: string): boolean;
}

const TAG = /^<([a-z/!?][^<>]{0,2000})>/iu;
const BEGUN = /^<(?:[a-z/!?][^<>]{0,2000})?$/iu;
const SCHEME = /^[a-z][a-z\d+.-]*:/iu;
/** What loads, sends or links something, or runs. */
const ACTIVE =
  /^\/?(?:a|audio|base|button|embed|form|frame|iframe|img|input|link|math|meta|object|script|source|style|svg|video)\b|[\s/]\w[\w:-]*\s*=/iu;

/** The tag at the beginning of a text, of which one that does something leaves nothing; null to wait for its end. */
export function readTag(
  text: string,
  { ended, isForeign }: ReadOptions,
): { readonly length: number; readonly text: string } | null {
  const [whole, inner = ''] = TAG.exec(text) ?? [];
  if (whole !== undefined) {
    const addresses = inner.split(/\s+/u).flatMap((word) => findAddress(word)?.address ?? []);
    const isDropped = isAutolink(inner)
      ? isForeign(inner) || addresses.some(isForeign)
      : ACTIVE.test(inner) || addresses.some(isForeign);
    return { length: whole.length, text: isDropped ? '' : whole };
  }
  if (!ended && BEGUN.test(text)) return null;
  // A tag that never ends is none to us, and must be none to who shows it.
  return { length: 1, text: /^<[a-z/!?]/iu.test(text) ? '‹' : '<' };
}

/** `<https://help.acme.example/returns>`, `<mailto:…>`: whatever else it holds. */
function isAutolink(inner: string): boolean {
  return SCHEME.test(inner) || findAddress(inner)?.index === 0;
}
