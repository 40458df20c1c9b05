const SCHEME = /^[a-z][a-z\d+.-]*:/iu;

/** Returns the host of an address as people write it, without `www.`; null if it has none or is not a web address. */
function parseHost(address: string): string | null {
  const absolute = SCHEME.test(address) ? address : `https://${address.replace(/^[\\/]+/u, '')}`;
  const url = URL.parse(absolute);
  if (url === null || !/^https?:$/u.test(url.protocol)) return null;
  return url.hostname.replace(/^www\./u, '');
}

/**
 * Matches anything with a scheme or two slashes, `www.`, and domains with a path. Repetitions before a fixed character
 * are bounded, so that long words take linear time.
 */
const ADDRESS =
  /[a-z][a-z\d+.-]{0,30}:[\\/]\S*|(?:javascript|vbscript|data):\S*|[\\/]{2}\S*|www\.\S*|(?:[\p{L}\p{N}-]{1,63}\.){1,20}\p{L}{2,24}(?::\d{1,5})?[/?#]\S*/iu;
const ADDRESS_CLOSING = /(?<![.,;:?*_~。，、])[.,;:?*_~。，、]+$/u;
/** Every address contains one of these characters, so that most words skip the expensive expression. */
const MARK = /[:/\\?#]|www\./iu;

interface FoundAddress {
  readonly index: number;
  readonly address: string;
  /** The punctuation after the address, which belongs to the sentence. */
  readonly closing: string;
}

/** Returns the first address in a text, even if it is not valid. */
export function findAddress(text: string): FoundAddress | null {
  const found = MARK.test(text) ? ADDRESS.exec(text) : null;
  if (found === null) return null;
  const [closing = ''] = ADDRESS_CLOSING.exec(found[0]) ?? [];
  const address = found[0].slice(0, found[0].length - closing.length);
  return { index: found.index, address, closing };
}

/**
 * The name of a mailbox or host is matched from its first letter only; starting at every letter would take quadratic
 * time.
 */
const LINK =
  /https?:\/\/[^\s<>"')\]]+|www\.[^\s<>"')\]]+|(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|(?<![\p{L}\p{N}-]\.?)(?:[\p{L}\p{N}-]+\.)+[a-z]{2,24}(?:\/[^\s<>"')\]]*)?/gu;
const LINK_CLOSING = /(?<![.,;:!?])[.,;:!?]+$/u;

/** Returns the web and e-mail addresses in a text. */
export function findLinks(text: string): readonly string[] {
  if (!/[.@]/.test(text)) return [];
  return (text.match(LINK) ?? []).map((link) => link.replace(LINK_CLOSING, ''));
}

interface Passage {
  readonly url: string | null;
  readonly text: string;
}

interface Known {
  readonly hosts: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
}

/**
 * Returns a predicate for the addresses that an answer may link to: those that the documents' own URLs or texts contain,
 * on the documents' hosts (including subdomains and direct parent domains). For a document without a URL, the hosts named
 * in its text count. The bare host of such an address is allowed too. Any other address could leak the visitor's words to
 * a host chosen by a document.
 */
export function sourceLinks(passages: readonly Passage[]): (address: string) => boolean {
  let known: Known | undefined;
  return (address) => {
    // The first use parses them, because most answers contain no link and passages are long.
    known ??= readKnown(passages);
    return isKnown(address, known);
  };
}

function readKnown(passages: readonly Passage[]): Known {
  const inTexts = passages.map(({ url, text }) => ({ url, links: findLinks(text) }));
  const named = inTexts.flatMap(({ url, links }) => (url === null ? links : [url]));
  const all = inTexts.flatMap(({ url, links }) => (url === null ? links : [url, ...links]));
  return {
    hosts: new Set(named.flatMap((address) => parseHost(address) ?? [])),
    addresses: new Set(all.flatMap((address) => addressKey(address) ?? [])),
  };
}

function isKnown(address: string, { hosts, addresses }: Known): boolean {
  const host = parseHost(address);
  const key = addressKey(address);
  if (host === null || host === '' || key === null) return false;
  const isAbove = [...hosts].some((known) => known.endsWith(`.${host}`));
  if (key === host) return hosts.has(host) || isAbove;
  const isOwn = hosts.has(host) || isAbove || [...hosts].some((known) => host.endsWith(`.${known}`));
  return isOwn && addresses.has(key);
}

/** Normalises an address for comparison: without the scheme, `www.` and a trailing slash. */
function addressKey(address: string): string | null {
  const host = parseHost(address);
  const url = URL.parse(
    /^[a-z][a-z\d+.-]*:/iu.test(address) ? address : `https://${address.replace(/^[\\/]+/u, '')}`,
  );
  if (host === null || url === null || url.username !== '' || url.password !== '') return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  return `${host}${port}${path}${url.search}${url.hash}`;
}
