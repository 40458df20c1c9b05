/** A text in three parts: the white space at its beginning, its words, and the white space at its end. */
export function splitMargins(text: string): {
  readonly before: string;
  readonly inner: string;
  readonly after: string;
} {
  const begun = text.trimStart();
  const inner = begun.trimEnd();
  return {
    before: text.slice(0, text.length - begun.length),
    inner,
    after: begun.slice(inner.length),
  };
}
