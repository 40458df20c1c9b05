import type { BlockContent, DefinitionContent, ListItem, PhrasingContent, RootContent, Table } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { z } from 'zod';

const richTextSchema = z.array(
  z.object({
    plain_text: z.string(),
    href: z.string().nullish(),
    annotations: z
      .object({ bold: z.boolean(), italic: z.boolean(), strikethrough: z.boolean(), code: z.boolean() })
      .partial()
      .optional(),
  }),
);

export type RichText = z.output<typeof richTextSchema>;

const fileSchema = z.object({ url: z.string() }).optional();

/** The fields that blocks have below the name of their type. https://developers.notion.com/reference/block */
const contentSchema = z.object({
  rich_text: richTextSchema.optional(),
  caption: richTextSchema.optional(),
  cells: z.array(richTextSchema).optional(),
  checked: z.boolean().optional(),
  language: z.string().nullish(),
  url: z.string().nullish(),
  expression: z.string().optional(),
  /** The title of a page or database inside. */
  title: z.string().optional(),
  /** The name of a file. */
  name: z.string().optional(),
  file: fileSchema,
  external: fileSchema,
});

const blockSchema = z
  .looseObject({ id: z.string(), type: z.string(), has_children: z.boolean().optional() })
  .transform((block) => ({
    id: block.id,
    type: block.type,
    hasChildren: block.has_children === true,
    content: contentSchema.catch({}).parse(block[block.type] ?? {}),
  }));

export const richTexts = richTextSchema;
export const blocksSchema = z.object({
  results: z.array(blockSchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
});

export interface NotionBlock extends z.output<typeof blockSchema> {
  readonly children: readonly NotionBlock[];
}

/** Pages and databases that are items themselves. */
export const ownPages: ReadonlySet<string> = new Set(['child_page', 'child_database']);

/** A property of a page in a database. */
export interface NotionProperty {
  readonly name: string;
  readonly text: RichText;
}

interface NotionText {
  /** The titles of the pages and databases above, outermost first. */
  readonly path?: readonly string[];
  readonly properties?: readonly NotionProperty[];
  readonly blocks: readonly NotionBlock[];
}

/** Returns the Markdown of a page: where it stands, its properties with their names, its blocks. Empty if it has none. */
export function renderPage({ path = [], properties = [], blocks }: NotionText): string {
  const labelled = properties.map(({ name, text }): RootContent => {
    const label: PhrasingContent = { type: 'strong', children: [{ type: 'text', value: `${name}:` }] };
    return { type: 'paragraph', children: [label, { type: 'text', value: ' ' }, ...toInline(text)] };
  });
  const text = [...labelled, ...toNodes(blocks)];
  if (text.length === 0) return '';
  const place = path.map((title) => title.trim()).filter((title) => title !== '');
  const section: RootContent[] =
    place.length === 0
      ? []
      : [{ type: 'paragraph', children: [{ type: 'text', value: `Section: ${place.join(' › ')}` }] }];
  const children = [...section, ...text];
  return toMarkdown({ type: 'root', children }, { bullet: '-', extensions: [gfmToMarkdown()] });
}

type Node = BlockContent | DefinitionContent;

function toNodes(blocks: readonly NotionBlock[]): Node[] {
  const nodes: Node[] = [];
  let items: ListItem[] = [];
  let previous = '';
  for (const block of blocks) {
    if (!listTypes.has(block.type)) nodes.push(...toNode(block));
    else if (previous === block.type) items.push(toListItem(block));
    else {
      items = [toListItem(block)];
      nodes.push({
        type: 'list',
        ordered: block.type === 'numbered_list_item',
        spread: false,
        children: items,
      });
    }
    previous = block.type;
  }
  return nodes;
}

const listTypes = new Set(['bulleted_list_item', 'numbered_list_item', 'to_do']);

function toListItem({ type, content, children }: NotionBlock): ListItem {
  const checked = type === 'to_do' ? content.checked === true : null;
  return {
    type: 'listItem',
    spread: false,
    checked,
    children: [...paragraph(content.rich_text), ...toNodes(children)],
  };
}

const headingDepths = new Map([
  ['heading_1', 2],
  ['heading_2', 3],
  ['heading_3', 4],
  ['heading_4', 5],
] as const);

function toNode({ id, type, content, children }: NotionBlock): Node[] {
  const text = content.rich_text ?? [];
  // The title of the page is its only first heading.
  for (const [name, depth] of headingDepths) {
    if (type === name) return [{ type: 'heading', depth, children: toInline(text) }, ...toNodes(children)];
  }
  switch (type) {
    case 'toggle':
      return [...paragraph(text, { isStrong: true }), ...toNodes(children)];
    case 'quote':
    case 'callout':
      return quote([...paragraph(text), ...toNodes(children)]);
    case 'code':
      return [
        { type: 'code', lang: languageOf(content.language), value: plain(text) },
        ...paragraph(content.caption),
      ];
    case 'equation':
      return [{ type: 'code', lang: 'latex', value: content.expression ?? '' }];
    case 'divider':
      return [{ type: 'thematicBreak' }];
    case 'table':
      return toTable(children);
    case 'child_page':
    case 'child_database':
      return paragraph([
        { plain_text: content.title ?? '', href: `https://www.notion.so/${id.replaceAll('-', '')}` },
      ]);
    case 'bookmark':
    case 'embed':
    case 'link_preview':
      return toLink(content.url ?? '', content.caption ?? []);
    default:
      // Names and captions of pictures and files too; their addresses expire within an hour.
      return [
        ...paragraph([...text, ...nameOf(content)]),
        ...paragraph(content.caption),
        ...toNodes(children),
      ];
  }
}

function nameOf({ name = '' }: NotionBlock['content']): RichText {
  return name === '' ? [] : [{ plain_text: name }];
}

/** Notion calls code without a language plain text. */
function languageOf(language: string | null | undefined): string | null {
  return language === 'plain text' ? null : (language?.replaceAll(/\s+/g, '-') ?? null);
}

function quote(children: Node[]): Node[] {
  return children.length === 0 ? [] : [{ type: 'blockquote', children }];
}

function paragraph(text: RichText = [], { isStrong = false } = {}): Node[] {
  if (plain(text).trim() === '') return [];
  const children = toInline(text);
  return [{ type: 'paragraph', children: isStrong ? [{ type: 'strong', children }] : children }];
}

function toLink(url: string, caption: RichText): Node[] {
  if (!isWebAddress(url)) return paragraph(caption);
  const title = plain(caption).trim() || url;
  return [
    { type: 'paragraph', children: [{ type: 'link', url, children: [{ type: 'text', value: title }] }] },
  ];
}

function toTable(rows: readonly NotionBlock[]): Table[] {
  if (rows.length === 0) return [];
  const children = rows.map(({ content }) => ({
    type: 'tableRow' as const,
    children: (content.cells ?? []).map((cell) => ({ type: 'tableCell' as const, children: toInline(cell) })),
  }));
  return [{ type: 'table', children }];
}

export function plain(text: RichText): string {
  return text.map(({ plain_text: part }) => part).join('');
}

function toInline(text: RichText): PhrasingContent[] {
  return text.flatMap(({ plain_text: value, href, annotations = {} }) => {
    if (annotations.code === true) return wrapLink([{ type: 'inlineCode', value }], href);
    // Emphasis must not begin or end with a space.
    const inner = value.trim();
    if (inner === '') return value === '' ? [] : [{ type: 'text', value }];
    const at = value.indexOf(inner);
    const around = (part: string): PhrasingContent[] => (part === '' ? [] : [{ type: 'text', value: part }]);
    let nodes: PhrasingContent[] = [{ type: 'text', value: inner }];
    if (annotations.strikethrough === true) nodes = [{ type: 'delete', children: nodes }];
    if (annotations.italic === true) nodes = [{ type: 'emphasis', children: nodes }];
    if (annotations.bold === true) nodes = [{ type: 'strong', children: nodes }];
    return [
      ...around(value.slice(0, at)),
      ...wrapLink(nodes, href),
      ...around(value.slice(at + inner.length)),
    ];
  });
}

function wrapLink(children: PhrasingContent[], href: string | null | undefined): PhrasingContent[] {
  if (href === null || href === undefined || !isWebAddress(href)) return children;
  const inner = children.filter((child) => child.type !== 'link' && child.type !== 'linkReference');
  return [{ type: 'link', url: href, children: inner }];
}

function isWebAddress(text: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
}
