import { linksIn } from '../writing/links-in.ts';
import { hostOf } from './host-of.ts';

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
  const inTexts = passages.map(({ url, text }) => ({ url, links: linksIn(text) }));
  const named = inTexts.flatMap(({ url, links }) => (url === null ? links : [url]));
  const all = inTexts.flatMap(({ url, links }) => (url === null ? links : [url, ...links]));
  return {
    hosts: new Set(named.flatMap((address) => hostOf(address) ?? [])),
    addresses: new Set(all.flatMap((address) => addressKey(address) ?? [])),
  };
}

function isKnown(address: string, { hosts, addresses }: Known): boolean {
  const host = hostOf(address);
  const key = addressKey(address);
  if (host === null || host === '' || key === null) return false;
  const isAbove = [...hosts].some((own) => own.endsWith(`.${host}`));
  if (key === host) return hosts.has(host) || isAbove;
  const isOwn = hosts.has(host) || isAbove || [...hosts].some((own) => host.endsWith(`.${own}`));
  return isOwn && addresses.has(key);
}

/** Without what leads to the same page: scheme, `www.` and the last slash. */
function addressKey(address: string): string | null {
  const host = hostOf(address);
  const url = URL.parse(
    /^[a-z][a-z\d+.-]*:/iu.test(address) ? address : `https://${address.replace(/^[\\/]+/u, '')}`,
  );
  if (host === null || url === null || url.username !== '' || url.password !== '') return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  return `${host}${port}${path}${url.search}${url.hash}`;
}
