import type { Nodes, PhrasingContent, Root } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { type DocsLibrary, type DocsPage, relativeAddress } from './library.ts';

/** The address of a page as Markdown, below /docs. */
export function markdownPath({ path }: Pick<DocsPage, 'path'>): string {
  return `${path}.md`;
}

/** A page as Markdown. Its links lead to the Markdown of other pages. */
export function renderMarkdownPage(page: DocsPage, library: DocsLibrary): string {
  const tree = mapLinks(page.tree, (link) => library.resolveLink(link, page, markdownPath));
  return writeMarkdown(tree);
}

/** `/llms.txt`: one line for each page, for programs that read the documentation. Addresses are relative to it. */
export function renderLlmsText(library: DocsLibrary): string {
  const sections = [...library.groups()].map(([group, pages]) => [
    `## ${group}`,
    '',
    ...pages.map((page) => `- [${page.title}](docs/${markdownPath(page)}): ${page.summary}`),
    '',
  ]);
  return [
    '# Parley',
    '',
    '> One answering engine behind a REST API and every channel: it answers from the documents of a workspace, with sources, and brings in a person when it does not know.',
    '',
    'These pages belong to the version that this server runs. All of them in one file: [llms-full.txt](llms-full.txt).',
    '',
    ...sections.flat(),
    '## Reference',
    '',
    '- [OpenAPI description](openapi.json): every call of the REST API with its fields, answers and errors.',
    '- [API reference](docs): the same for people.',
    '',
  ].join('\n');
}

/** `/llms-full.txt`: all pages, one after the other, with links to the Markdown of each. */
export function renderLlmsFullText(library: DocsLibrary): string {
  const pages = library.pages.map((page) => {
    const tree = mapLinks(page.tree, (link) => {
      if (link.startsWith('#')) return link;
      const address = library.resolveLink(link, page, markdownPath);
      return address === null ? null : fromRoot(address, page);
    });
    return `<!-- docs/${markdownPath(page)} -->\n\n${writeMarkdown(tree)}`;
  });
  return pages.join('\n');
}

/** Returns an address that is relative to a page as one that is relative to the root of the server. */
function fromRoot(address: string, page: DocsPage): string {
  const { pathname, hash } = new URL(address, `https://parley.invalid/docs/${page.path}`);
  return `${pathname.slice(1)}${hash}`;
}

function writeMarkdown(tree: Root): string {
  return toMarkdown(tree, { bullet: '-', rule: '-', extensions: [gfmToMarkdown()] });
}

/** Returns a tree whose links and pictures lead to what `resolve` says. Null: the words stay without a link. */
function mapLinks(tree: Root, resolve: (link: string) => string | null): Root {
  const copy = structuredClone(tree);
  visit(copy);
  return copy;

  function visit(node: Nodes): void {
    switch (node.type) {
      case 'paragraph':
      case 'heading':
      case 'tableCell':
      case 'emphasis':
      case 'strong':
      case 'delete':
        node.children = node.children.flatMap(mapInline);
        return;
      default:
        if ('children' in node) for (const child of node.children) visit(child);
    }
  }

  function mapInline(node: PhrasingContent): readonly PhrasingContent[] {
    if (node.type !== 'link' && node.type !== 'image') {
      visit(node);
      return [node];
    }
    if (URL.canParse(node.url)) return [node];
    const url = resolve(node.url);
    if (url !== null) return [{ ...node, url }];
    return node.type === 'link' ? node.children : [{ type: 'text', value: node.alt ?? '' }];
  }
}

/** The address of the Markdown of a page, as seen from the page. */
export function markdownAddress(page: DocsPage): string {
  return relativeAddress(page.path, markdownPath(page));
}
