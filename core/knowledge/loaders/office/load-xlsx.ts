/**
 * Workbooks are read by our own reader on `saxes`, with `numfmt` (MIT) for number formats: `exceljs` (last release in 2023)
 * builds an object for every cell and style, also of a million empty rows, and `xlsx` is no longer published on npm.
 */
import { BlockCollector } from '../block-collector.ts';
import { type LoadedDocument, type LoadingLimits, requireReadableText } from '../loader.ts';
import { detectTitle } from '../metadata.ts';
import { CellStyles } from './number-formats.ts';
import { PackageParts } from './package-parts.ts';
import { cleanCell, readSheet } from './read-sheet.ts';
import { elementsOf, findChild, readXml } from './read-xml.ts';
import { collectSheet } from './sheet-regions.ts';

const SHEET_LEVEL = 2;
/** Names that programs give to sheets. */
const DEFAULT_NAME =
  /^(?:sheet|tabelle|feuil(?:le)?|hoja|foglio|planilha|folha|blad|ark|arkusz|лист|sayfa|工作表|シート|ورقة)\s*\d*$/iu;

/** Returns whether people named a sheet. */
export function isGivenName(name: string): boolean {
  return !DEFAULT_NAME.test(name.trim());
}

/** Reads an Excel workbook: one block per table, under the name of its sheet. Rejects with a DocumentError. */
export async function loadXlsx(bytes: Uint8Array, limits: LoadingLimits): Promise<LoadedDocument> {
  const parts = await PackageParts.unpack(bytes, 'This Excel workbook', limits);
  const path = parts.mainPart();
  const workbook = parts.require(path);
  const related = parts.relationships(path);
  const targetOf = (type: string): string | null =>
    [...related.values()].find((one) => one.type === type)?.target ?? null;
  const from1904 = ['1', 'true'].includes(findChild(workbook, 'workbookPr')?.attributes.date1904 ?? '');
  const source = {
    what: parts.what,
    sharedStrings: readSharedStrings(parts, targetOf('sharedStrings'), limits),
    styles: new CellStyles(parts, targetOf('styles'), from1904),
    limits,
  };
  const collector = new BlockCollector(limits);
  const sheets = elementsOf(findChild(workbook, 'sheets'), 'sheet').filter(
    ({ attributes: { state = 'visible' } }) => state === 'visible',
  );
  for (const { attributes } of sheets) {
    const relationship = related.get(attributes['r:id'] ?? '');
    const content = relationship?.type === 'worksheet' ? parts.find(relationship.target) : null;
    if (content === null) continue;
    const name = attributes.name ?? '';
    collector.close(SHEET_LEVEL);
    const sheet = readSheet(content, source);
    if (sheet.size > 0 && isGivenName(name)) collector.heading(SHEET_LEVEL, name);
    collectSheet(sheet, collector, name);
  }
  return detectTitle(collector, { title: parts.propertyTitle(), url: null });
}

/** Returns the texts that cells refer to by number, without the pronunciation of East Asian names. */
function readSharedStrings(
  parts: PackageParts,
  path: string | null,
  limits: Pick<LoadingLimits, 'maxTextCharacters'>,
): readonly string[] {
  const bytes = path === null ? null : parts.find(path);
  const strings: string[] = [];
  let text = '';
  let characters = 0;
  let phonetic = 0;
  let inText = false;
  if (bytes === null) return strings;
  readXml(bytes, parts.what, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetic += 1;
      else if (name === 't') inText = phonetic === 0;
    },
    text(part) {
      if (inText) text += part;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 'si') {
        strings.push(cleanCell(text));
        characters += text.length;
        requireReadableText(characters, limits);
      }
    },
  });
  return strings;
}
