/** The cells of one row by column; an empty one is left out. */
export type Row = readonly string[];

/**
 * Rows as sentences that can be understood alone: each value under the label of its column. Without labels, two
 * columns are read as name and value.
 */
export function rowLines(labels: readonly string[], rows: readonly Row[]): string[] {
  const labelled = labels.some((label) => label !== '');
  return rows
    .map((row) => (labelled ? labelledRow(labels, row) : plainRow(row)))
    .filter((line) => line !== '');
}

/** `label: value`, without a second colon. */
export function withLabel(label: string, value: string): string {
  if (label === '') return value;
  return /[:?!]$/.test(label) ? `${label} ${value}` : `${label}: ${value}`;
}

function labelledRow(labels: readonly string[], row: Row): string {
  const parts = row.map((value, column) => (value === '' ? '' : withLabel(labels[column] ?? '', value)));
  return parts.filter((part) => part !== '').join('; ');
}

function plainRow(row: Row): string {
  const [name = '', value = '', ...others] = row;
  if (name !== '' && value !== '' && others.every((cell) => cell === '')) return withLabel(name, value);
  return row.filter((cell) => cell !== '').join(' | ');
}
