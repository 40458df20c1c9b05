/** A number without what parts its thousands. */
export interface SpokenNumber {
  readonly whole: string;
  /** Digits; empty where there are none. */
  readonly fraction: string;
}

/** `1.234,50`, `1,234.50` and `19,99` alike: three digits behind a sign that may part thousands are thousands. */
export function readNumber(text: string, decimal: '.' | ','): SpokenNumber {
  const marks = text.match(/[.,]/g) ?? [];
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const behind = text.slice(last + 1);
  const isMixed = new Set(marks).size === 2;
  const isThousands = !isMixed && (marks.length > 1 || (behind.length === 3 && text[last] !== decimal));
  if (last < 0 || isThousands) return { whole: text.replaceAll(/[.,]/g, ''), fraction: '' };
  return { whole: text.slice(0, last).replaceAll(/[.,]/g, ''), fraction: behind };
}
