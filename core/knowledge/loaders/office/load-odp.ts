import { DocumentError } from '../../documents/document-error.ts';
import { BlockCollector } from '../block-collector.ts';
import { parseHtml, pruneTree } from '../html/parse-html.ts';
import { collectBlocks } from '../html/walk-blocks.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle } from '../metadata.ts';
import { htmlText } from './html-text.ts';
import { TextWriter } from './load-odt.ts';
import { PackageParts } from './package-parts.ts';
import { elementsOf, findAll, findChild, textOf, type XmlElement } from './read-xml.ts';

/** Placeholders of the master and the small picture of the slide beside its notes. */
const REPEATED = new Set(['footer', 'header', 'date-time', 'page-number', 'page']);

/** Reads an OpenDocument presentation: each slide is a section with its title as heading, and its notes last. */
export async function loadOdp(bytes: Uint8Array, limits: LoadingLimits): Promise<LoadedDocument> {
  const parts = await PackageParts.unpack(bytes, 'This OpenDocument presentation', limits, (name) =>
    /\.xml$/.test(name),
  );
  const encrypted = findAll(parts.parse('META-INF/manifest.xml'), 'encryption-data').length > 0;
  if (encrypted) throw new DocumentError('encrypted_file', parts.what);
  const content = parts.require('content.xml');
  const writer = new TextWriter([content, parts.parse('styles.xml')]);
  const hidden = hiddenStyles(content);
  const collector = new BlockCollector(limits);
  const slides = elementsOf(findChild(content, 'body', 'presentation'), 'page');
  for (const [index, slide] of slides.entries()) {
    if (hidden.has(slide.attributes['draw:style-name'] ?? '')) continue;
    collector.close(2);
    collector.at({ kind: 'slide', from: index + 1, to: index + 1 });
    const page = parseHtml(slideHtml(slide, writer));
    pruneTree(page, { keepLandmarks: true });
    collectBlocks(page, collector);
  }
  return detectTitle(collector, { title: parts.propertyTitle('meta.xml'), url: null });
}

function slideHtml(slide: XmlElement, writer: TextWriter): string {
  const shapes = elementsOf(slide).filter((shape) => !REPEATED.has(classOf(shape)));
  const titles = shapes.filter((shape) => classOf(shape) === 'title');
  const title = titles.map((shape) => textOf(shape).replace(/\s+/g, ' ').trim()).join(' ');
  const notes = shapes.filter(({ name }) => name === 'notes');
  const body = shapes.filter((shape) => !titles.includes(shape) && !notes.includes(shape));
  const written = [...body, ...notes.flatMap((note) => elementsOf(note))]
    .filter((shape) => !REPEATED.has(classOf(shape)))
    .map((shape) => writer.blocks(shape));
  return `${title === '' ? '' : `<h2>${htmlText(title)}</h2>`}${written.join('')}`;
}

function classOf({ attributes }: XmlElement): string {
  return attributes['presentation:class'] ?? '';
}

function hiddenStyles(content: XmlElement): ReadonlySet<string> {
  const styles = elementsOf(findChild(content, 'automatic-styles'), 'style').filter(
    (style) =>
      findChild(style, 'drawing-page-properties')?.attributes['presentation:visibility'] === 'hidden',
  );
  return new Set(styles.map(({ attributes }) => attributes['style:name'] ?? ''));
}
