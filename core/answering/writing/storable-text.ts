/** Databases take neither NULs nor halves of characters. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
