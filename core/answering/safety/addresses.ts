const SCHEME = /^[a-z][a-z\d+.-]*:/iu;

/** The host of an address as people write them, without `www.`; null where it has none, or is not of the web. */
function parseHost(address: string): string | null {
  const whole = SCHEME.test(address) ? address : `https://${address.replace(/^[\\/]+/u, '')}`;
  const url = URL.parse(whole);
  if (url === null || !/^https?:$/u.test(url.protocol)) return null;
  return url.hostname.replace(/^www\./u, '');
}

/** Anything with a scheme or two slashes, `www.`, and a domain with a path; endless words take no endless time. */
const ADDRESS =
  /[a-z][a-z\d+.-]{0,30}:[\\/]\S*|(?:javascript|vbscript|data):\S*|[\\/]{2}\S*|www\.\S*|(?:[\p{L}\p{N}-]{1,63}\.){1,20}\p{L}{2,24}(?::\d{1,5})?[/?#]\S*/iu;
const ADDRESS_CLOSING = /(?<![.,;:?*_~。，、])[.,;:?*_~。，、]+$/u;
/** Every address has one of these: a quick look spares most words the long one. */
const MARK = /[:/\\?#]|www\./iu;

interface FoundAddress {
  readonly index: number;
  readonly address: string;
  /** The punctuation behind it, which belongs to the sentence. */
  readonly closing: string;
}

/** The first address in a text, which need not be a valid one. */
export function findAddress(text: string): FoundAddress | null {
  const found = MARK.test(text) ? ADDRESS.exec(text) : null;
  if (found === null) return null;
  const [closing = ''] = ADDRESS_CLOSING.exec(found[0]) ?? [];
  const address = found[0].slice(0, found[0].length - closing.length);
  return { index: found.index, address, closing };
}

/** The name of a mailbox or host is tried from its beginning only: from each of its letters it would take quadratic time. */
const LINK =
  /https?:\/\/[^\s<>"')\]]+|www\.[^\s<>"')\]]+|(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|(?<![\p{L}\p{N}-]\.?)(?:[\p{L}\p{N}-]+\.)+[a-z]{2,24}(?:\/[^\s<>"')\]]*)?/gu;
const LINK_CLOSING = /(?<![.,;:!?])[.,;:!?]+$/u;

/** Addresses of pages and of people that a text names. */
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
 * Which addresses an answer may link to: those that its documents or their texts hold, as they stand there, on the hosts
 * of the documents (and below and right above them); of a document without an address, on the hosts that it names. The
 * beginning of such a host is one, too. All else could carry what a visitor said to a host that a document chose.
 */
export function sourceLinks(passages: readonly Passage[]): (address: string) => boolean {
  let known: Known | undefined;
  return (address) => {
    // Most answers hold no link, and passages are long.
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
  const isAbove = [...hosts].some((own) => own.endsWith(`.${host}`));
  if (key === host) return hosts.has(host) || isAbove;
  const isOwn = hosts.has(host) || isAbove || [...hosts].some((own) => host.endsWith(`.${own}`));
  return isOwn && addresses.has(key);
}

/** Without what leads to the same page: scheme, `www.` and the last slash. */
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
