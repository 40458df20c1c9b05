import { DocumentError } from '../documents/document-error.ts';
import type { BlockCollector } from './block-collector.ts';
import type { Block, LoadedDocument } from './loader.ts';

interface StatedMetadata {
  /** The title in the file's metadata, outside its text. */
  readonly title: string | null;
  readonly url: string | null;
}

/**
 * Finishes a document and determines its title. The only heading of level 1 becomes the title instead of a section if
 * it starts the document or repeats the stated title (`Returns` on a page titled `Returns | Shop`). Throws `no_text`.
 */
export function detectTitle(collector: BlockCollector, stated: StatedMetadata): LoadedDocument {
  const { blocks, topHeadings } = collector.finish();
  if (blocks.length === 0) throw new DocumentError('no_text');
  const statedTitle = stated.title?.replace(/\s+/g, ' ').trim() || null;
  const { url } = stated;
  const [heading, ...others] = topHeadings;
  const [first, ...rest] = blocks;
  if (heading === undefined) return { title: statedTitle, url, blocks };
  const leads = statedTitle === null ? first?.headings[0] === heading : repeatsTitle(statedTitle, heading);
  if (others.length === 0 && leads)
    return { title: heading, url, blocks: blocks.map((block) => withoutHeading(block, heading)) };
  // A first heading without content, followed by sections of the same level, is the title of all of them.
  const standsAlone = first?.headings.length === 0 && first.text === heading && rest.length > 0;
  if (statedTitle === null && standsAlone) return { title: heading, url, blocks: rest };
  return { title: statedTitle, url, blocks };
}

function withoutHeading(block: Block, heading: string): Block {
  return block.headings[0] === heading ? { ...block, headings: block.headings.slice(1) } : block;
}

const SEPARATED = /^\s*$|^\s*[|\-–—·:»›/]\s|\s[|\-–—·:»›/]\s*$/u;

/** Returns whether a stated title is the heading, alone or next to a site name. */
function repeatsTitle(statedTitle: string, heading: string): boolean {
  const position = statedTitle.toLowerCase().indexOf(heading.toLowerCase());
  if (position < 0) return false;
  const before = statedTitle.slice(0, position);
  const after = statedTitle.slice(position + heading.length);
  return SEPARATED.test(before) && SEPARATED.test(after);
}

const PLACEHOLDER =
  /^(?:untitled|no title|document|title|pdf|doc|slide|presentation|microsoft (?:word|powerpoint|excel))\W*\d*$/i;
const FILE_NAME = /\.(?:docx?|pdf|odt|rtf|txt|indd|tex|dvi|pptx?|xlsx?|html?|md)$/i;

/** Returns the title in a file's properties, or null for the file names and placeholders that programs leave there. */
export function parseStatedTitle(title: unknown): string | null {
  if (typeof title !== 'string') return null;
  const text = title.replace(/\s+/g, ' ').trim();
  const plausible =
    /\p{L}{2}/u.test(text) && !PLACEHOLDER.test(text) && !FILE_NAME.test(text) && text.length <= 300;
  return plausible ? text : null;
}

/** Returns an absolute http(s) URL as written, or null for any other value. */
export function parseWebAddress(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  return /^https?:$/.test(new URL(value).protocol) ? value.trim() : null;
}
