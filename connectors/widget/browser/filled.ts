/** A text with what is to stand in it. */
export function filled(
  text: string | undefined,
  { name = '', count = 0 }: { readonly name?: string; readonly count?: number },
): string {
  return (text ?? '').replace('{name}', () => name).replace('{count}', String(count));
}
