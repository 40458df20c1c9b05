/** A text as a database can hold it: without NULs, and with halves of surrogate pairs replaced. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
