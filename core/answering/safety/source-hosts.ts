import { linksIn } from '../writing/links-in.ts';
import { hostOf } from './host-of.ts';

interface Passage {
  readonly url: string | null;
  readonly text: string;
}

/** The hosts that an answer may link to: those of its documents, and what files without an address name themselves. */
export function sourceHosts(passages: readonly Passage[]): () => ReadonlySet<string> {
  let hosts: ReadonlySet<string> | undefined;
  return () => {
    const addresses = () => passages.flatMap(({ url, text }) => (url === null ? linksIn(text) : [url]));
    // Most answers hold no link, and passages are long.
    hosts ??= new Set(
      addresses()
        .map(hostOf)
        .filter((host) => host !== null),
    );
    return hosts;
  };
}
