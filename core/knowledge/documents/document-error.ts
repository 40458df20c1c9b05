/** Reasons why a document cannot be ingested. Each is a sentence that the document's owner can act on. */
const REASONS = {
  empty_file: () => 'The file is empty.',
  unsupported_format: (what: string) =>
    `${what} cannot be read. Add it as PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), OpenDocument (.odt, .ods, .odp), EPUB, RTF, mail (.eml), Markdown, reStructuredText, AsciiDoc, HTML, CSV, JSON, YAML, a notebook (.ipynb) or plain text.`,
  old_office_format: (what: string) =>
    `${what} cannot be read. Open it in Microsoft Office or LibreOffice, save it as .docx, .xlsx or .pptx, and add that file.`,
  wrong_format: (what: string) =>
    `${what}. Check that the file is the right one and that its name and content type match it.`,
  corrupt_file: (what: string) => `${what} is damaged or incomplete. Save it again and upload the new copy.`,
  encrypted_file: (what: string) =>
    `${what} is protected by a password. Remove the password and add it again.`,
  no_text: () => 'The file contains no text. Upload a file that contains text.',
  no_text_layer: (what: string) =>
    `${what} instead of text. Set OCR=tesseract on the server so that it reads pictures, or run the file through OCR (text recognition) and add it again.`,
  too_large: (limit: string) => `The file is larger than ${limit}. Split it into smaller files.`,
  too_much_text: (limit: string) =>
    `The file contains more than ${limit} of text. Split it into smaller files.`,
  too_many_pages: (limit: string) => `The PDF has more than ${limit}. Split it into smaller files.`,
  expands_too_far: (limit: string) =>
    `The file decompresses to more than ${limit}. Save it again without embedded files and images.`,
  nested_too_deeply: () =>
    'The elements of the file are nested too deeply. Simplify its structure or save it as plain text.',
  reading_timed_out: (limit: string) =>
    `Reading the file took longer than ${limit} and was stopped. Split or simplify the file.`,
  out_of_memory: () => 'Reading the file exceeded the memory limit. Split or simplify the file.',
  reading_failed: () =>
    'Reading the file failed unexpectedly. Upload it again; if it fails again, save it in another format.',
} as const;

/** Stable error codes of documents. They are part of the public API. */
export type DocumentErrorCode = keyof typeof REASONS;

/** A document that cannot be ingested: `code` is for programs, `reason` for the document's owner. */
export class DocumentError extends Error {
  readonly code: DocumentErrorCode;
  readonly reason: string;
  readonly what: string;

  /** `what` completes the sentence of `code`: the faulty part of the file, or the limit that was exceeded. */
  constructor(code: DocumentErrorCode, what = 'The file', options?: ErrorOptions) {
    const reason = REASONS[code](what);
    super(reason, options);
    this.name = 'DocumentError';
    this.code = code;
    this.reason = reason;
    this.what = what;
  }
}
