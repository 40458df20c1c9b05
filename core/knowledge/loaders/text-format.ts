import { DocumentError } from '../document-error.ts';
import type { DocumentFormat } from './declared-format.ts';

export type TextFormat = Exclude<DocumentFormat, 'pdf' | 'docx'>;

const MARKDOWN_SIGNS = [
  /^(?:---|\+\+\+)\n(?:[\w-]+\s*[:=].*\n)/,
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /\[[^[\]\n]+\]\([^()\s]+[()]/,
  /^\|(?:[ :]*-+[ :]*\|)+\s*$/m,
  /\*\*[^*\n]+\*\*/,
];
const SAMPLE_CHARACTERS = 20_000;

/**
 * Which dialect of text this is. A full HTML page is one whatever it is called; otherwise the declaration holds, and
 * without one the text is looked at. Throws `wrong_format` for text that claims to be a binary format.
 */
export function textFormat(text: string, declared: DocumentFormat | null): TextFormat {
  if (declared === 'pdf' || declared === 'docx') {
    throw new DocumentError('wrong_format', `The file is called a ${declared.toUpperCase()} but is not one`);
  }
  const start = text.slice(0, SAMPLE_CHARACTERS).trimStart();
  if (declared !== 'markdown' && isHtmlPage(start)) return 'html';
  if (/^<\?xml|^<svg[\s>]/i.test(start)) throw new DocumentError('unsupported_format', 'An XML file');
  if (declared === 'html') return /<[a-z!/]/i.test(text) ? 'html' : 'text';
  if (declared !== null) return declared;
  return MARKDOWN_SIGNS.some((sign) => sign.test(start)) ? 'markdown' : 'text';
}

function isHtmlPage(start: string): boolean {
  return /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html[\s>])/i.test(start);
}
