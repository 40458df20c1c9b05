const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085]/g;
const PARAGRAPH_ENDS = /[\f\v]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;
/** Soft hyphens, zero-width characters, direction overrides, tags, icons of private fonts: what has no meaning as text. */
const INVISIBLE =
  /[\u00ad\u200b\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffc]|[\u{e0000}-\u{e007f}]|\p{Co}/gu;
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** The same text in composed form, with `\n` line ends and ordinary spaces, without controls and hidden characters. */
export function cleanText(text: string): string {
  return text
    .replace(LINE_ENDS, '\n')
    .replace(PARAGRAPH_ENDS, '\n\n')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .normalize('NFC');
}
