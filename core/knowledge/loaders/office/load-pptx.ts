import { BlockCollector } from '../block-collector.ts';
import { parseHtml, pruneTree } from '../html/parse-html.ts';
import { collectBlocks } from '../html/walk-blocks.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle } from '../metadata.ts';
import { htmlList, htmlTable, htmlText, type ListItem } from './html-text.ts';
import { PackageParts } from './package-parts.ts';
import { elementsOf, findAll, findChild, type XmlElement } from './read-xml.ts';

interface Slide {
  readonly title: string;
  /** True for a slide whose layout is that of a title page. */
  readonly isTitlePage: boolean;
  readonly html: string;
  /** As the program numbers it, from 1. */
  readonly number: number;
}

/** Placeholders of the master: they repeat on every slide. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const TITLES = new Set(['title', 'ctrTitle']);

/** Reads a presentation: each slide is a section with its title as heading, and its notes last. */
export async function loadPptx(bytes: Uint8Array, limits: LoadingLimits): Promise<LoadedDocument> {
  const parts = await PackageParts.unpack(bytes, 'This PowerPoint presentation', limits);
  const path = parts.mainPart();
  const related = parts.relationships(path);
  const references = elementsOf(findChild(parts.require(path), 'sldIdLst'), 'sldId');
  // A slide belongs to a presentation once: a file that repeats one refers in a circle.
  const targets = new Set(
    references.map(({ attributes }) => related.get(attributes['r:id'] ?? '')?.target ?? ''),
  );
  const slides = [...targets].flatMap((target, index) => {
    const slide = readSlide(parts, target);
    return slide === null ? [] : [{ ...slide, number: index + 1 }];
  });
  const [first] = slides;
  const title = first?.isTitlePage === true && first.title !== '' ? first.title : null;
  const collector = new BlockCollector(limits);
  for (const slide of slides) {
    const isTitle = slide === first && title !== null;
    const heading = isTitle || slide.title === '' ? '' : `<h2>${htmlText(slide.title)}</h2>`;
    collector.close(2);
    collector.at({ kind: 'slide', from: slide.number, to: slide.number });
    const page = parseHtml(heading + slide.html);
    pruneTree(page, { keepLandmarks: true });
    collectBlocks(page, collector);
  }
  if (title !== null && slides.length === 1 && first?.html === '') collector.add('paragraph', title);
  return detectTitle(collector, { title: title ?? parts.propertyTitle(), url: null });
}

/** Returns null for a hidden slide, and for one that the file lacks. */
function readSlide(parts: PackageParts, path: string): Omit<Slide, 'number'> | null {
  const root = parts.parse(path);
  if (root === null || root.attributes.show === '0' || root.attributes.show === 'false') return null;
  const shapes = shapesOf(findChild(root, 'cSld', 'spTree'));
  const titles = shapes.filter((shape) => TITLES.has(placeholderOf(shape) ?? ''));
  const title = titles.map((shape) => lineText(shape)).join(' ');
  const body = shapes.filter((shape) => !titles.includes(shape)).map((shape) => renderShape(shape));
  return {
    title: title.trim(),
    isTitlePage: titles.some((shape) => placeholderOf(shape) === 'ctrTitle'),
    html: [...body, ...relatedTexts(parts, path)].join(''),
  };
}

/** Returns the shapes of a slide in the order of the file, which is that in which readers for the blind read them. */
function shapesOf(tree: XmlElement | null): readonly XmlElement[] {
  return elementsOf(tree).flatMap((element) => {
    switch (element.name) {
      case 'sp':
      case 'graphicFrame':
        return isHidden(element) ? [] : [element];
      case 'grpSp':
        return isHidden(element) ? [] : shapesOf(element);
      case 'AlternateContent': {
        const choice = shapesOf(findChild(element, 'Choice'));
        return choice.length > 0 ? choice : shapesOf(findChild(element, 'Fallback'));
      }
      default:
        return [];
    }
  });
}

function propertiesOf(shape: XmlElement): XmlElement | null {
  return elementsOf(shape).find(({ name }) => /^nv\w*Pr$/.test(name)) ?? null;
}

function isHidden(shape: XmlElement): boolean {
  return ['1', 'true'].includes(findChild(propertiesOf(shape), 'cNvPr')?.attributes.hidden ?? '');
}

/** Returns the kind of the placeholder that a shape fills (`body` if it names none), or null for a free shape. */
function placeholderOf(shape: XmlElement): string | null {
  const placeholder = findChild(propertiesOf(shape), 'nvPr', 'ph');
  return placeholder === null ? null : (placeholder.attributes.type ?? 'body');
}

function renderShape(shape: XmlElement): string {
  const placeholder = placeholderOf(shape);
  if (placeholder !== null && REPEATED.has(placeholder)) return '';
  const tables = findAll(shape, 'tbl').map((table) => renderTable(table));
  const bulleted = placeholder !== null && placeholder !== 'subTitle';
  return tables.join('') + renderParagraphs(elementsOf(findChild(shape, 'txBody'), 'p'), bulleted);
}

/** `bulleted` states whether the layout marks the paragraphs; a single one is no list. */
function renderParagraphs(paragraphs: readonly XmlElement[], bulleted: boolean): string {
  const filled = paragraphs.filter((paragraph) => paragraphText(paragraph).trim() !== '');
  let html = '';
  let items: ListItem[] = [];
  for (const paragraph of filled) {
    const properties = findChild(paragraph, 'pPr');
    const level = Number.parseInt(properties?.attributes.lvl ?? '0', 10) || 0;
    const ordered = findChild(properties, 'buAutoNum') !== null;
    const marked = ordered || findChild(properties, 'buChar') !== null;
    const plain = findChild(properties, 'buNone') !== null;
    const content = htmlText(paragraphText(paragraph));
    if (marked || (bulleted && !plain && (filled.length > 1 || level > 0)))
      items.push({ level, ordered, html: content });
    else {
      html += `${htmlList(items)}<p>${content}</p>`;
      items = [];
    }
  }
  return html + htmlList(items);
}

function paragraphText(paragraph: XmlElement): string {
  return elementsOf(paragraph)
    .map((run) => {
      if (run.name === 'br') return '\n';
      if (run.name === 'fld' && run.attributes.type === 'slidenum') return '';
      const text = findChild(run, 't');
      return run.name === 'r' || run.name === 'fld' ? (text?.children.join('') ?? '') : '';
    })
    .join('');
}

function lineText(shape: XmlElement): string {
  const paragraphs = elementsOf(findChild(shape, 'txBody'), 'p');
  return paragraphs.map((paragraph) => paragraphText(paragraph).replaceAll('\n', ' ')).join(' ');
}

function renderTable(table: XmlElement): string {
  const labelled = ['1', 'true'].includes(findChild(table, 'tblPr')?.attributes.firstRow ?? '');
  const rows = elementsOf(table, 'tr').map((row) =>
    elementsOf(row, 'tc')
      .filter(({ attributes: { hMerge, vMerge } }) => !isTrue(hMerge) && !isTrue(vMerge))
      .map((cell) => ({
        html: elementsOf(findChild(cell, 'txBody'), 'p')
          .map((paragraph) => `<p>${htmlText(paragraphText(paragraph))}</p>`)
          .join(''),
        columns: Number(cell.attributes.gridSpan ?? 1),
        rows: Number(cell.attributes.rowSpan ?? 1),
      })),
  );
  return htmlTable(rows, labelled && rows.length > 1 ? 1 : 0);
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Returns the texts of diagrams (SmartArt) as lists, then the speaker's notes. */
function relatedTexts(parts: PackageParts, path: string): readonly string[] {
  const related = [...parts.relationships(path).values()];
  const rootsOf = (type: string): readonly XmlElement[] =>
    related.filter((one) => one.type === type).flatMap(({ target }) => parts.parse(target) ?? []);
  const diagrams = rootsOf('diagramData').map((root) =>
    htmlList(
      findAll(root, 'pt')
        .map((point) => elementsOf(findChild(point, 't'), 'p').map(paragraphText).join(' ').trim())
        .filter((text) => text !== '')
        .map((text) => ({ level: 0, ordered: false, html: htmlText(text) })),
    ),
  );
  const notes = rootsOf('notesSlide').flatMap((root) =>
    shapesOf(findChild(root, 'cSld', 'spTree'))
      .filter((shape) => placeholderOf(shape) === 'body')
      .map((shape) => renderParagraphs(elementsOf(findChild(shape, 'txBody'), 'p'), false)),
  );
  return [...diagrams, ...notes];
}
