import { htmlList, htmlTable, htmlText, type ListItem, type TableCell } from '../office/html-text.ts';

interface CellForm {
  readonly mergedLeft: boolean;
  readonly mergedUp: boolean;
}

interface TableRow {
  readonly cells: readonly TableCell[];
  readonly isHeader: boolean;
}

const MAX_HEADING_LEVEL = 6;
const PLAIN_CELL: CellForm = { mergedLeft: false, mergedUp: false };

/** Builds HTML from the text and the control words of a Rich Text document. */
export class RtfPage {
  readonly #html: string[] = [];
  readonly #styles = new Map<number, string>();
  readonly #notes: string[] = [];
  #items: ListItem[] = [];
  #rows: TableRow[] = [];
  #cells: string[] = [];
  #forms: CellForm[] = [];
  #form = PLAIN_CELL;
  #isHeaderRow = false;
  /** Text of the open paragraph, and of the finished ones of the open cell. */
  #text = '';
  #cell = '';
  #note = '';
  #marker: string | null = null;
  #inTable = false;
  #style = '';
  #outline: number | null = null;
  #listLevel = 0;
  /** The text of the first paragraph with the style Title; null if there is none. */
  title: string | null = null;

  text(text: string): void {
    this.#text += text;
  }

  beginMarker(): void {
    this.#marker = '';
  }

  markerText(text: string): void {
    this.#marker = (this.#marker ?? '') + text;
  }

  noteText(text: string): void {
    this.#note += text;
  }

  endNote(): void {
    if (this.#note.trim() !== '') this.#notes.push(this.#note.trim());
    this.#note = '';
  }

  nameStyle(number: number, name: string): void {
    this.#styles.set(number, name.toLowerCase());
  }

  /** Applies a control word of the document's text. */
  control(word: string, value: number | null): void {
    switch (word) {
      case 'par':
      case 'sect':
      case 'page':
        this.#endParagraph();
        break;
      case 'pard':
        this.#resetParagraph();
        break;
      case 's':
        this.#style = this.#styles.get(value ?? 0) ?? '';
        break;
      case 'outlinelevel':
        this.#outline = value;
        break;
      case 'ilvl':
        this.#listLevel = value ?? 0;
        break;
      case 'intbl':
        this.#inTable = true;
        break;
      case 'nestcell':
        this.#text += ' | ';
        break;
      case 'nestrow':
        this.#text += '\n';
        break;
      default:
        this.#tableControl(word);
    }
  }

  #tableControl(word: string): void {
    switch (word) {
      case 'trowd':
        this.#forms = [];
        this.#form = PLAIN_CELL;
        this.#isHeaderRow = false;
        break;
      case 'trhdr':
        this.#isHeaderRow = true;
        break;
      case 'clmrg':
        this.#form = { ...this.#form, mergedLeft: true };
        break;
      case 'clvmrg':
        this.#form = { ...this.#form, mergedUp: true };
        break;
      case 'cellx':
        this.#forms.push(this.#form);
        this.#form = PLAIN_CELL;
        break;
      case 'cell':
        this.#endCell();
        break;
      case 'row':
        this.#endRow();
        break;
      default:
    }
  }

  /** Returns the page. */
  finish(): string {
    this.#endParagraph();
    this.#endTable();
    this.#endList();
    return [...this.#html, ...this.#notes.map((note) => `<p>${htmlText(note)}</p>`)].join('');
  }

  #resetParagraph(): void {
    this.#inTable = false;
    this.#style = '';
    this.#outline = null;
    this.#listLevel = 0;
  }

  #endParagraph(): void {
    const text = this.#text.trim();
    const marker = this.#marker;
    this.#text = '';
    this.#marker = null;
    if (this.#inTable) {
      this.#addToCell(text, marker);
      return;
    }
    this.#endTable();
    if (text === '') return;
    const level = this.#headingLevel();
    if (level === null && marker !== null) {
      this.#items.push({ level: this.#listLevel, ordered: isOrdered(marker), html: htmlText(text) });
      return;
    }
    this.#endList();
    if (level !== null) this.#html.push(`<h${level}>${htmlText(text)}</h${level}>`);
    else if (this.title === null && this.#style === 'title') this.title = text;
    else this.#html.push(`<p>${htmlText(text)}</p>`);
  }

  #headingLevel(): number | null {
    const named = /^heading (\d)$/.exec(this.#style)?.[1];
    const level = named === undefined ? this.#outline : Number(named) - 1;
    return level === null || level < 0 || level > 8 ? null : Math.min(MAX_HEADING_LEVEL, level + 1);
  }

  #addToCell(text: string, marker: string | null): void {
    if (text === '') return;
    const line = marker === null ? text : `- ${text}`;
    this.#cell += `<p>${htmlText(line)}</p>`;
  }

  #endCell(): void {
    this.#addToCell(this.#text.trim(), this.#marker);
    this.#text = '';
    this.#marker = null;
    this.#cells.push(this.#cell);
    this.#cell = '';
  }

  #endRow(): void {
    this.#endList();
    const above = this.#rows.at(-1)?.cells ?? [];
    const cells: TableCell[] = [];
    for (const [index, html] of this.#cells.entries()) {
      const { mergedLeft, mergedUp } = this.#forms[index] ?? PLAIN_CELL;
      const left = cells.at(-1);
      if (mergedLeft && html === '' && left !== undefined)
        cells[cells.length - 1] = { ...left, columns: (left.columns ?? 1) + 1 };
      else cells.push({ html: mergedUp && html === '' ? (above[cells.length]?.html ?? '') : html });
    }
    this.#cells = [];
    if (cells.some(({ html }) => html !== '')) this.#rows.push({ cells, isHeader: this.#isHeaderRow });
  }

  #endTable(): void {
    // A damaged file may lack the end of a cell or a row.
    if (this.#cell !== '') this.#cells.push(this.#cell);
    this.#cell = '';
    if (this.#cells.length > 0) this.#endRow();
    if (this.#rows.length === 0) return;
    const first = this.#rows.findIndex(({ isHeader }) => !isHeader);
    this.#html.push(
      htmlTable(
        this.#rows.map(({ cells }) => cells),
        Math.max(0, first),
      ),
    );
    this.#rows = [];
  }

  #endList(): void {
    if (this.#items.length > 0) this.#html.push(htmlList(this.#items));
    this.#items = [];
  }
}

function isOrdered(marker: string): boolean {
  return /^[\s(]*(?:\d{1,4}|[a-z]{1,5})[.)]/i.test(marker);
}
