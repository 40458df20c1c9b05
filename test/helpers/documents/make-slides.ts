import { makeArchive } from './make-archive.ts';
import { relationships } from './make-workbook.ts';

interface SlideParts {
  /** The shapes of the slide in their own XML. */
  readonly shapes: string;
  readonly notes?: string;
  readonly hidden?: boolean;
}

/** Paragraphs of a text body. `2:text` is at level 2. */
function paragraphs(lines: readonly string[], properties: string): string {
  const all = lines.map((line) => {
    const [, level = '0', text = ''] = /^(?:(\d):)?(.*)$/s.exec(line) ?? [];
    return `<a:p><a:pPr lvl="${level}">${properties}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
  });
  return `<p:txBody>${all.join('')}</p:txBody>`;
}

export function shape(placeholder: string | null, lines: readonly string[], properties = ''): string {
  const kind = placeholder === null ? '' : `<p:ph${placeholder === '' ? '' : ` type="${placeholder}"`}/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${kind}</p:nvPr></p:nvSpPr>${paragraphs(lines, properties)}</p:sp>`;
}

export function slideTable(rows: readonly (readonly string[])[], firstRow = '1'): string {
  const lines = rows.map((cells) => {
    const all = cells.map((text) => (text.startsWith('<') ? text : `<a:tc>${paragraphs([text], '')}</a:tc>`));
    return `<a:tr>${all.join('').replaceAll('p:txBody', 'a:txBody')}</a:tr>`;
  });
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="t"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="${firstRow}"/>${lines.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
}

/** A presentation whose slides are shown in the order given, which is not that of their file names. */
export function makePptx(
  slides: readonly SlideParts[],
  others: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Uint8Array> {
  const file = (index: number): string => `slide${slides.length - index}.xml`;
  const references = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`).join('');
  return makeArchive({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${references}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      Object.fromEntries(slides.map((_, index) => [`s${index}`, ['slide', `slides/${file(index)}`]])),
    ),
    ...Object.fromEntries(
      slides.flatMap(({ shapes, notes, hidden }, index) => [
        [
          `ppt/slides/${file(index)}`,
          `<p:sld xmlns:p="p" xmlns:a="a" xmlns:mc="mc"${hidden ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
        ],
        [
          `ppt/slides/_rels/${file(index)}.rels`,
          relationships({
            n: ['notesSlide', `../notesSlides/notes${index}.xml`],
            d: ['diagramData', '../diagrams/d.xml'],
          }),
        ],
        [
          `ppt/notesSlides/notes${index}.xml`,
          `<p:notes xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shape('sldNum', ['7'])}${notes === undefined ? '' : shape('body', [notes])}</p:spTree></p:cSld></p:notes>`,
        ],
      ]),
    ),
    ...others,
  });
}
