import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { Anchors, plainText } from './markdown-text.ts';

interface PageHeading {
  readonly depth: number;
  readonly text: string;
  readonly anchor: string;
}

export interface DocsPage {
  /** The path below /docs, such as `guide/api` or `channels/slack`. */
  readonly path: string;
  /** The file with its Markdown, from the root of the project. */
  readonly file: string;
  /** The first heading of the Markdown. */
  readonly title: string;
  /** The first sentence of the Markdown, without markup. */
  readonly summary: string;
  /** The group of the navigation. */
  readonly group: string;
  readonly tree: Root;
  /** The headings below the title. */
  readonly headings: readonly PageHeading[];
}

/** The pages in the order in which they are read, by group: a slug, and the file where it is not `server/docs/pages/`. */
const guides: Readonly<Record<string, readonly string[]>> = {
  Basics: ['getting-started', 'dashboard', 'knowledge', 'sources', 'source-tools', 'models'],
  Build: ['api', 'sdk', 'channels', 'widget', 'webhooks', 'skills', 'agents'],
  Operate: [
    'configuration',
    'scaling',
    'observability',
    'durability',
    'security',
    'runbook',
    'troubleshooting',
  ],
};

const channelGroup = 'Channels';

const root = new URL('../../', import.meta.url);
const imageFolder = 'server/docs/images/';

/** All pages, in reading order. */
export class DocsLibrary {
  readonly pages: readonly DocsPage[];
  readonly #byPath: ReadonlyMap<string, DocsPage>;
  readonly #byFile: ReadonlyMap<string, DocsPage>;

  constructor(pages: readonly DocsPage[]) {
    this.pages = pages;
    this.#byPath = new Map(pages.map((page) => [page.path, page]));
    this.#byFile = new Map(pages.map((page) => [page.file, page]));
  }

  find(path: string): DocsPage | undefined {
    return this.#byPath.get(path);
  }

  /** The groups of the navigation, in order. */
  groups(): ReadonlyMap<string, readonly DocsPage[]> {
    return Map.groupBy(this.pages, ({ group }) => group);
  }

  /**
   * The address, relative to `from`, of a link as the Markdown of `from` has it: another page, a heading or an image.
   * Null if it leads to no page of the documentation. `pathOf` names pages in another form than HTML.
   */
  resolveLink(link: string, from: DocsPage, pathOf = ({ path }: DocsPage) => path): string | null {
    if (link.startsWith('#')) return link;
    const [target = '', anchor] = link.split('#', 2);
    const file = posix.join(posix.dirname(from.file), target);
    const fragment = anchor === undefined ? '' : `#${anchor}`;
    if (file.startsWith(imageFolder))
      return relativeAddress(from.path, `images/${file.slice(imageFolder.length)}`);
    const page = this.#byFile.get(file);
    return page === undefined ? null : `${relativeAddress(from.path, pathOf(page))}${fragment}`;
  }

  /** The pictures of the pages, by name. */
  async loadImages(): Promise<ReadonlyMap<string, Buffer>> {
    const folder = new URL(imageFolder, root);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.webp'));
    const images = names.map(async (name) => [name, await readFile(new URL(name, folder))] as const);
    return new Map(await Promise.all(images));
  }
}

/**
 * The address of the page `to` as seen from the page `from`, both below /docs; the API reference is ''. The address
 * is relative, so that it also works behind a path of a proxy.
 */
export function relativeAddress(from: string, to: string): string {
  const folder = posix.dirname(`/docs/${from}`);
  if (to === '') return `${posix.relative(folder, '/')}/docs`;
  const path = posix.relative(folder, `/docs/${to}`) || `../${posix.basename(to)}`;
  return path.startsWith('.') ? path : `./${path}`;
}

/** Reads and parses the Markdown of every page: the guides, and one page for each channel. */
export async function loadLibrary(): Promise<DocsLibrary> {
  const guidePages = Object.entries(guides).flatMap(([group, slugs]) =>
    slugs.map((slug) => ({ path: `guide/${slug}`, file: `server/docs/pages/${slug}.md`, group })),
  );
  // Imported when the documentation is first opened: the registry loads the libraries of all platforms.
  const { connectors } = await import('../../connectors/registry.ts');
  const channelPages = connectors.map(({ manifest, about }) => ({
    path: `channels/${manifest.channel}`,
    file: about.page,
    group: channelGroup,
  }));
  return new DocsLibrary(await Promise.all([...guidePages, ...channelPages].map(loadPage)));
}

async function loadPage(place: Pick<DocsPage, 'path' | 'file' | 'group'>): Promise<DocsPage> {
  const tree = parseMarkdown(await readFile(new URL(place.file, root), 'utf8'));
  const anchors = new Anchors();
  const [first, ...headings] = tree.children.flatMap((node) => {
    if (node.type !== 'heading') return [];
    const text = plainText(node);
    return [{ depth: node.depth, text, anchor: anchors.next(text) }];
  });
  const opening = tree.children.find(({ type }) => type === 'paragraph');
  return {
    ...place,
    title: first?.text ?? place.path,
    summary: opening === undefined ? '' : firstSentence(plainText(opening)),
    tree,
    headings,
  };
}

/** Parses a page of the documentation. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, {
    extensions: [gfmTable(), gfmStrikethrough()],
    mdastExtensions: [gfmFromMarkdown()],
  });
}

function firstSentence(text: string): string {
  const [sentence = text] = text.replaceAll(/\s+/g, ' ').split(/(?<=\.) /, 1);
  return sentence;
}
