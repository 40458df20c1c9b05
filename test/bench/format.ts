/** Milliseconds, to a tenth below a hundred. */
export function milliseconds(value: number): string {
  return Number.isNaN(value) ? '-' : `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** Formats the size of one chunk. */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

export function ratio(value: number, baseline: number): string {
  return Number.isFinite(value / baseline) ? `${(value / baseline).toFixed(2)} x` : '-';
}

export function count(value: number): string {
  return value.toLocaleString('en');
}
