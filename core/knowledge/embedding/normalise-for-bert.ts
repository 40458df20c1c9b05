const LAYOUT = new Set(['\t', '\n', '\r']);
const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
const MARK = /\p{Mn}/gu;
/** The blocks that BERT's vocabulary treats as one word a character. */
const IDEOGRAPH =
  /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;

/**
 * Text as the uncased BERT models were trained on it: no control characters, ideographs apart, no accents,
 * lower case.
 */
export function normaliseForBert(text: string): string {
  return (
    text
      .replace(CONTROL, (character) => (LAYOUT.has(character) ? character : ''))
      .replace(IDEOGRAPH, ' $& ')
      .normalize('NFD')
      .replace(MARK, '')
      // The model never saw a final sigma: its lower case knows no context, that of JavaScript does.
      .replaceAll('Σ', 'σ')
      .toLowerCase()
  );
}
