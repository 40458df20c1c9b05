import { decodeText } from '../../knowledge/loaders/decode-text.ts';
import { ItemError } from '../source-reader.ts';
import { normaliseAddress, type Site } from './address.ts';
import { parseMarkdownLinks } from './discovery/site-list.ts';
import type { SiteAnswer, SiteClient } from './requests/site-client.ts';

const ACCEPT = 'text/markdown, text/plain;q=0.9';
const MAX_LLMS_BYTES = 5_000_000;
/** An `llms.txt` that names this many Markdown files, and hardly anything else, shows that each page has one. */
const MIN_TWINS = 3;
const MIN_TWIN_SHARE = 0.8;

interface TwinOptions {
  readonly client: SiteClient;
  readonly site: Site;
}

interface KnownTwins {
  readonly listed: ReadonlySet<string>;
  readonly hasOneForEach: boolean;
}

/** Finds the Markdown version of pages: by a link of the page, or by the `llms.txt` of its host. */
export class MarkdownTwins {
  readonly #options: TwinOptions;
  readonly #known = new Map<string, Promise<KnownTwins>>();

  constructor(options: TwinOptions) {
    this.#options = options;
  }

  /** Requests the Markdown version of a page; null if there is none. `linked` is the one that the page names. */
  async find(address: string, linked: string | null): Promise<SiteAnswer | null> {
    const twin = linked ?? (await this.#listedTwin(address));
    if (twin === null || twin === address || !this.#options.site.includes(twin)) return null;
    try {
      if (!(await this.#options.client.isAllowed(twin))) return null;
      const followed = await this.#options.client.follow(twin, { accept: ACCEPT });
      return followed.kind === 'answer' && isMarkdown(followed) ? followed : null;
    } catch (error) {
      if (error instanceof ItemError) return null;
      throw error;
    }
  }

  async #listedTwin(address: string): Promise<string | null> {
    const url = new URL(address);
    const known = this.#known.get(url.origin) ?? this.#readLlmsText(url.origin);
    this.#known.set(url.origin, known);
    const { listed, hasOneForEach } = await known;
    const candidates = twinAddresses(url);
    return (
      candidates.find((candidate) => listed.has(candidate)) ??
      (hasOneForEach ? (candidates[0] ?? null) : null)
    );
  }

  async #readLlmsText(origin: string): Promise<KnownTwins> {
    const none = { listed: new Set<string>(), hasOneForEach: false };
    const address = `${origin}/llms.txt`;
    try {
      if (!(await this.#options.client.isAllowed(address))) return none;
      const followed = await this.#options.client.follow(address, {
        accept: ACCEPT,
        maxBytes: MAX_LLMS_BYTES,
      });
      if (followed.kind !== 'answer' || !isMarkdown(followed)) return none;
      const { entries } = parseMarkdownLinks(decodeText(followed.response.bytes, null));
      const own = entries
        .map((entry) => normaliseAddress(entry.address, followed.address))
        .filter((link) => link !== null)
        .filter((link) => this.#options.site.includes(link));
      const listed = new Set(own.filter((link) => /\.mdx?$/i.test(new URL(link).pathname)));
      return {
        listed,
        hasOneForEach: listed.size >= MIN_TWINS && listed.size >= own.length * MIN_TWIN_SHARE,
      };
    } catch (error) {
      if (error instanceof ItemError) return none;
      throw error;
    }
  }
}

/** `/keys` and `/keys.html` have `/keys.md`, `/docs/` has `/docs.md` or `/docs/index.md`; also with `.html.md`. */
function twinAddresses(page: URL): readonly string[] {
  if (page.search !== '' || /\.mdx?$/i.test(page.pathname)) return [];
  const path = page.pathname.replace(/\.html?$/i, '');
  const paths = path.endsWith('/')
    ? [`${path}index.md`, `${path}index.html.md`, ...(path === '/' ? [] : [`${path.slice(0, -1)}.md`])]
    : [`${path}.md`, `${page.pathname}.md`, `${path}/index.md`];
  return paths.map((name) => page.origin + name);
}

function isMarkdown({ response }: SiteAnswer): boolean {
  if (response.status !== 200 || response.bytes.byteLength === 0) return false;
  const type = response.headers.get('content-type') ?? '';
  if (!/^(?:text\/(?:x-)?markdown|text\/plain|application\/octet-stream)\b/i.test(type)) return false;
  const start = Buffer.from(response.bytes.subarray(0, 200)).toString('latin1').trimStart();
  return !/^<(?:!doctype|html)\b/i.test(start);
}
