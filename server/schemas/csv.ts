/** Returns a row of CSV (RFC 4180). A spreadsheet would compute a cell that begins like a formula: it gets an apostrophe in front. */
export function renderCsvRow(cells: readonly string[]): string {
  return `${cells.map(renderCell).join(',')}\r\n`;
}

function renderCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
