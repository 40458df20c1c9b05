import { labelValue } from '../../passage.ts';
import { lineOf, type PdfCell, type PdfLine } from './page-lines.ts';

/** An annotation as the PDF library describes it; form fields have `fieldName`. */
interface Annotation {
  readonly subtype?: unknown;
  readonly rect?: unknown;
  readonly fieldName?: unknown;
  readonly alternativeText?: unknown;
  readonly fieldValue?: unknown;
  readonly fieldType?: unknown;
  readonly checkBox?: unknown;
  readonly radioButton?: unknown;
  readonly buttonValue?: unknown;
  readonly hidden?: unknown;
}

interface Field {
  readonly names: readonly unknown[];
  readonly value: string;
  readonly isMark: boolean;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

const MAX_FIELDS = 2_000;
/** A label stands beside its field or in the line above it. In points. */
const MAX_LABEL_DISTANCE = 250;
const MAX_LINE_ABOVE = 16;
const MAX_OVERLAP = 4;

/** Adds the values of a page's form fields to their labels: `Name:` becomes `Name: Ada`. */
export function addFieldValues(
  lines: readonly PdfLine[],
  annotations: readonly Annotation[],
  page: number,
): readonly PdfLine[] {
  const changed = [...lines];
  for (const field of annotations.flatMap(toField).slice(0, MAX_FIELDS)) {
    const label = findLabel(changed, field);
    if (label === null) changed.push(lineOfField(field, page));
    else changed[label.index] = withValue(label, field);
  }
  return changed;
}

function toField(annotation: Annotation): readonly Field[] {
  const { subtype, rect, fieldValue, checkBox, radioButton, buttonValue, fieldType, hidden } = annotation;
  if (subtype !== 'Widget' || hidden === true || !Array.isArray(rect)) return [];
  const [left = 0, bottom = 0, right = 0, top = 0] = rect.map(Number);
  const isMark = checkBox === true || radioButton === true;
  if (isMark ? !isChecked() : fieldType === 'Btn' || fieldType === 'Sig') return [];
  const value = isMark ? '☒' : valueText(fieldValue);
  const names = [annotation.alternativeText, annotation.fieldName];
  return value === '' ? [] : [{ names, value, isMark, left, bottom, right, top }];

  function isChecked(): boolean {
    if (fieldValue === undefined || fieldValue === null || fieldValue === 'Off') return false;
    return checkBox === true || fieldValue === buttonValue;
  }
}

function valueText(value: unknown): string {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(', ')
    .replace(/\s+/g, ' ')
    .trim();
}

interface Label {
  readonly index: number;
  readonly line: PdfLine;
  readonly cell: PdfCell;
}

/** Returns the nearest text to the left of a field, to the right of a box, or else above it. */
function findLabel(lines: readonly PdfLine[], field: Field): Label | null {
  let best: { readonly label: Label; readonly distance: number } | null = null;
  for (const [index, line] of lines.entries())
    for (const cell of line.cells) {
      const distance = labelDistance(line, cell, field);
      if (distance !== null && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
        best = { label: { index, line, cell }, distance };
    }
  return best?.label ?? null;
}

function labelDistance({ y }: PdfLine, { left, right }: PdfCell, field: Field): number | null {
  const gap = field.isMark ? left - field.right : field.left - right;
  const isBeside = y >= field.bottom - MAX_OVERLAP && y <= field.top;
  if (isBeside && gap >= -MAX_OVERLAP && gap <= MAX_LABEL_DISTANCE) return Math.max(0, gap);
  const isAbove = y > field.top - MAX_OVERLAP && y - field.top <= MAX_LINE_ABOVE;
  const overlaps = left < field.right && right > field.left;
  return isAbove && overlaps && !field.isMark ? MAX_LABEL_DISTANCE + y - field.top : null;
}

function withValue({ line, cell }: Label, { value, isMark }: Field): PdfLine {
  const text = isMark ? `${value} ${cell.text}` : labelValue(withoutLine(cell.text), value);
  return lineOf(
    line,
    line.cells.map((one) => (one === cell ? { ...cell, text } : one)),
  );
}

/** Labels end in a line of dots or underscores to write on. */
function withoutLine(text: string): string {
  let end = text.length;
  while (end > 0 && ' _.…'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const FIELD_FONT_SIZE = 10;

function lineOfField({ names, value, left, right, bottom }: Field, page: number): PdfLine {
  const name = names.find((one) => typeof one === 'string' && one.trim() !== '');
  const text = labelValue(typeof name === 'string' ? name.trim() : '', value);
  return lineOf({ page, y: bottom, fontSize: FIELD_FONT_SIZE, font: null }, [{ text, left, right }]);
}
