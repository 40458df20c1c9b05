import { fileTypeFromBuffer } from 'file-type';
import { DocumentError } from '../document-error.ts';
import type { DocumentFormat } from './declared-format.ts';
import { detectUtf16 } from './decode-text.ts';
import { listArchive } from './zip-archive.ts';

/** The format by bytes alone. The dialect of `text` (Markdown, HTML, CSV) depends on its name and content. */
type Container = 'pdf' | 'docx' | 'text';

const SIGNATURE_BYTES = 1024;
const SAMPLE_BYTES = 65_536;
const MAX_CONTROL_SHARE = 0.02;
const STRAY_CONTROLS = 2;
const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const ESCAPE = 0x1b;
const OLE_SIGNATURE = 'd0cf11e0a1b11ae1';
const ARCHIVES: readonly (readonly [entry: RegExp, what: string])[] = [
  [/^xl\/workbook/, 'An Excel workbook'],
  [/^ppt\/presentation/, 'A PowerPoint presentation'],
  [/^META-INF\/container\.xml$/, 'An EPUB book'],
  [/^META-INF\/manifest\.xml$/, 'An OpenDocument file'],
  [/^Index\/.*\.iwa$/, 'An Apple iWork file'],
];

/** Detects the format of a file from its bytes. Rejects with a DocumentError for unsupported formats. */
export async function detectContainer(bytes: Uint8Array): Promise<Container> {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  if (/^[\s\u00ef\u00bb\u00bf]*%PDF-/.test(start)) return 'pdf';
  if (start.startsWith('PK\u0003\u0004') || start.startsWith('PK\u0005\u0006')) return detectArchive(bytes);
  // Mail gateways and printers may insert lines before the signature.
  if (/[\r\n]%PDF-\d/.test(start) && endsLikePdf(bytes)) return 'pdf';
  if (looksLikeText(bytes)) {
    if (start.startsWith('{\\rtf')) throw new DocumentError('unsupported_format', 'An RTF file');
    return 'text';
  }
  throw await describeBinary(bytes);
}

async function detectArchive(bytes: Uint8Array): Promise<Container> {
  const names = await listArchive(bytes);
  if (names.some((name) => /^word\/document\d*\.xml$/.test(name))) return 'docx';
  const [, what = 'A ZIP archive'] = ARCHIVES.find(([entry]) => names.some((name) => entry.test(name))) ?? [];
  throw new DocumentError('unsupported_format', what);
}

async function describeBinary(bytes: Uint8Array): Promise<DocumentError> {
  if (Buffer.from(bytes.subarray(0, 8)).toString('hex') === OLE_SIGNATURE) return describeOle(bytes);
  const type = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES));
  if (type === undefined) return new DocumentError('unsupported_format', 'This type of file');
  const family = type.mime.split('/')[0];
  const kind = family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
  return new DocumentError('unsupported_format', `This ${type.ext.toUpperCase()} ${kind}`);
}

/** Office stores an encrypted DOCX in the OLE container of its old binary formats. */
function describeOle(bytes: Uint8Array): DocumentError {
  const encrypted = Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le'));
  return encrypted
    ? new DocumentError('encrypted_file', 'This Office document')
    : new DocumentError('unsupported_format', 'An Office 97-2003 document (.doc, .xls, .ppt)');
}

function endsLikePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(-SIGNATURE_BYTES)).includes('%%EOF');
}

function looksLikeText(bytes: Uint8Array): boolean {
  if (detectUtf16(bytes) !== null) return true;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  return sample.filter(isControl).length <= Math.max(STRAY_CONTROLS, sample.length * MAX_CONTROL_SHARE);
}

function isControl(byte: number): boolean {
  return byte < 0x20 && (byte < TAB || byte > CARRIAGE_RETURN) && byte !== ESCAPE;
}

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
 * Detects the dialect of a text. A complete HTML page counts as HTML under any declaration but Markdown; otherwise the
 * declaration decides, and without one the content. Throws `wrong_format` for text declared as a binary format.
 */
export function detectTextFormat(text: string, declared: DocumentFormat | null): TextFormat {
  if (declared === 'pdf' || declared === 'docx') {
    throw new DocumentError(
      'wrong_format',
      `The file is declared as ${declared.toUpperCase()} but is not one`,
    );
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
