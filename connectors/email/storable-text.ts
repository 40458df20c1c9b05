/** Without what no database keeps: NULs, and halves of characters. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
