/** Parts of HTML that loaders of other formats build, so that all formats share one walk and give the same blocks. */

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns text as HTML. Line ends become breaks. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => SPECIAL[character] ?? '').replace(/\r\n?|\n/g, '<br>');
}

export interface ListItem {
  /** From 0. */
  readonly level: number;
  readonly ordered: boolean;
  readonly html: string;
}

const MAX_LIST_LEVEL = 20;

/** Returns nested lists. An item that is several levels deeper than the one before it counts as one level deeper. */
export function htmlList(items: readonly ListItem[]): string {
  const open: string[] = [];
  let html = '';
  const closeTo = (depth: number): void => {
    while (open.length > depth) html += `</li></${open.pop()}>`;
  };
  for (const { level, ordered, html: content } of items) {
    const depth = Math.min(level, open.length, MAX_LIST_LEVEL) + 1;
    const tag = ordered ? 'ol' : 'ul';
    closeTo(depth);
    if (open.length === depth && open.at(-1) !== tag) closeTo(depth - 1);
    if (open.length === depth) html += '</li>';
    else {
      html += `<${tag}>`;
      open.push(tag);
    }
    html += `<li>${content}`;
  }
  closeTo(0);
  return html;
}

export interface TableCell {
  readonly html: string;
  readonly columns?: number;
  readonly rows?: number;
}

/** Returns a table. The first `headerRows` rows label the columns. */
export function htmlTable(rows: readonly (readonly TableCell[])[], headerRows: number): string {
  const lines = rows.map((cells, index) => {
    const tag = index < headerRows ? 'th' : 'td';
    const content = cells.map(
      ({ html, columns = 1, rows: span = 1 }) =>
        `<${tag}${columns > 1 ? ` colspan="${columns}"` : ''}${span > 1 ? ` rowspan="${span}"` : ''}>${html}</${tag}>`,
    );
    return `<tr>${content.join('')}</tr>`;
  });
  const head = lines.slice(0, headerRows).join('');
  return `<table>${head === '' ? '' : `<thead>${head}</thead>`}<tbody>${lines.slice(headerRows).join('')}</tbody></table>`;
}
