import { fileTypeFromBuffer } from 'file-type';
import { DocumentError } from '../documents/document-error.ts';
import type { BinaryFormat, DocumentFormat, TextFormat } from './declared-format.ts';
import { detectUtf16 } from './decode-text.ts';
import { listArchive, unpackArchive } from './zip-archive.ts';

/** The format by bytes alone. The dialect of `text` (Markdown, HTML, CSV, mail) depends on its name and content. */
type Container = BinaryFormat | 'text';

const SIGNATURE_BYTES = 1024;
const SAMPLE_BYTES = 65_536;
const MAX_CONTROL_SHARE = 0.02;
const STRAY_CONTROLS = 2;
const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const ESCAPE = 0x1b;
const OLE_SIGNATURE = 'd0cf11e0a1b11ae1';
const READABLE_ARCHIVES: readonly (readonly [entry: RegExp, format: BinaryFormat])[] = [
  [/^word\/document\d*\.xml$/, 'docx'],
  [/^xl\/workbook\d*\.xml$/, 'xlsx'],
  [/^ppt\/presentation\d*\.xml$/, 'pptx'],
  [/^META-INF\/container\.xml$/, 'epub'],
];
const OTHER_ARCHIVES: readonly (readonly [entry: RegExp, what: string])[] = [
  [/^xl\/workbook/, 'A binary Excel workbook (.xlsb)'],
  [/^Index\/.*\.iwa$/, 'An Apple iWork file'],
];

/** PNG, JPEG, TIFF and WebP, in hexadecimal digits. The bytes of a white page may look like text. */
const PICTURE = /^(?:89504e470d0a1a0a|ffd8ff|49492a00|4d4d002a|52494646[0-9a-f]{8}57454250)/;

/** Detects the format of a file from its bytes. Rejects with a DocumentError for unsupported formats. */
export async function detectContainer(bytes: Uint8Array): Promise<Container> {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  if (/^[\s\u00ef\u00bb\u00bf]*%PDF-/.test(start)) return 'pdf';
  if (start.startsWith('{\\rtf')) return 'rtf';
  const signature = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  if (PICTURE.test(signature)) return 'image';
  if (signature.startsWith(OLE_SIGNATURE)) throw describeOle(bytes);
  if (start.startsWith('PK\u0003\u0004') || start.startsWith('PK\u0005\u0006')) return detectArchive(bytes);
  // Mail gateways and printers may insert lines before the signature.
  if (/[\r\n]%PDF-\d/.test(start) && endsLikePdf(bytes)) return 'pdf';
  if (looksLikeText(bytes)) return 'text';
  return detectBinary(bytes);
}

async function detectArchive(bytes: Uint8Array): Promise<Container> {
  const names = await listArchive(bytes);
  const has = (entry: RegExp): boolean => names.some((name) => entry.test(name));
  const found = READABLE_ARCHIVES.find(([entry]) => has(entry))?.[1];
  if (found !== undefined && !(found === 'epub' && has(/^META-INF\/manifest\.xml$/) && has(/^content\.xml$/)))
    return found;
  if (has(/^META-INF\/manifest\.xml$/)) return detectOpenDocument(bytes);
  const [, what = 'A ZIP archive'] = OTHER_ARCHIVES.find(([entry]) => has(entry)) ?? [];
  throw new DocumentError('unsupported_format', what);
}

const MAX_MEDIA_TYPE_BYTES = 200;

/** Text, spreadsheets, slides and drawings of OpenDocument differ by the archive's entry `mimetype` only. */
async function detectOpenDocument(bytes: Uint8Array): Promise<Container> {
  const wanted = (name: string): boolean => name === 'mimetype';
  const entry = (await unpackArchive(bytes, { wanted, maxBytes: MAX_MEDIA_TYPE_BYTES })).get('mimetype');
  const [, kind = 'file'] = /opendocument\.([a-z]+)/.exec(new TextDecoder().decode(entry)) ?? [];
  if (kind === 'text') return 'odt';
  if (kind === 'spreadsheet') return 'ods';
  if (kind === 'presentation') return 'odp';
  throw new DocumentError('unsupported_format', `An OpenDocument ${kind}`);
}

async function detectBinary(bytes: Uint8Array): Promise<Container> {
  const type = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES));
  if (type === undefined) throw new DocumentError('unsupported_format', 'This type of file');
  const family = type.mime.split('/')[0];
  const kind = family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
  throw new DocumentError('unsupported_format', `This ${type.ext.toUpperCase()} ${kind}`);
}

/** Office stores an encrypted DOCX in the OLE container of its old binary formats. */
function describeOle(bytes: Uint8Array): DocumentError {
  const has = (stream: string): boolean => Buffer.from(bytes).includes(Buffer.from(stream, 'utf16le'));
  if (has('EncryptedPackage')) return new DocumentError('encrypted_file', 'This Office document');
  return has('__substg1.0_')
    ? new DocumentError('unsupported_format', 'An Outlook message (.msg)')
    : new DocumentError('old_office_format', oldFormatName(has));
}

function oldFormatName(has: (stream: string) => boolean): string {
  if (has('WordDocument')) return 'An old Word document (.doc)';
  if (has('PowerPoint Document')) return 'An old PowerPoint presentation (.ppt)';
  return has('Workbook') ? 'An old Excel workbook (.xls)' : 'An Office 97-2003 document (.doc, .xls, .ppt)';
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

const TEXT_FORMATS: ReadonlySet<string> = new Set<TextFormat>([
  ...(['text', 'markdown', 'html', 'csv', 'eml'] as const),
  ...(['rst', 'asciidoc', 'notebook', 'json', 'yaml', 'curated'] as const),
]);

function isTextFormat(format: DocumentFormat): format is TextFormat {
  return TEXT_FORMATS.has(format);
}

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
  if (declared !== null && !isTextFormat(declared)) {
    throw new DocumentError(
      'wrong_format',
      `The file is declared as ${declared.toUpperCase()} but is not one`,
    );
  }
  const start = text.slice(0, SAMPLE_CHARACTERS).trimStart();
  const mayBeMail = declared === null || declared === 'text' || declared === 'eml';
  if (mayBeMail && isMail(start, { isNamed: declared === 'eml' })) return 'eml';
  if (declared === 'eml') return 'text';
  if (declared !== 'markdown' && isHtmlPage(start)) return 'html';
  if (/^<\?xml|^<svg[\s>]/i.test(start)) throw new DocumentError('unsupported_format', 'An XML file');
  if (declared === 'html') return /<[a-z!/]/i.test(text) ? 'html' : 'text';
  if (declared !== null) return declared;
  return MARKDOWN_SIGNS.some((sign) => sign.test(start)) ? 'markdown' : 'text';
}

function isHtmlPage(start: string): boolean {
  return /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html[\s>])/i.test(start);
}

const MAIL_FIELD =
  /^(?:return-path|received|delivered-to|message-id|mime-version|from|to|subject|date|dkim-signature|x-[\w-]+|content-type):/i;

/**
 * A mail begins with header fields, among them one that programs write and people do not. Some exports leave those out: then
 * the name of the file has to say so.
 */
function isMail(start: string, { isNamed }: { readonly isNamed: boolean }): boolean {
  const [head = ''] = start.split(/\r?\n\r?\n/, 1);
  const lines = head.split(/\r?\n/);
  if (!MAIL_FIELD.test(lines[0] ?? '') || !lines.every((line) => /^[\w-]+:|^[ \t]/.test(line))) return false;
  const has = (field: RegExp): boolean => lines.some((line) => field.test(line));
  if (isNamed) return has(/^from:/i) && has(/^(?:to|subject|date):/i);
  return has(/^from:/i) && has(/^(?:message-id|mime-version|received|return-path):/i);
}
