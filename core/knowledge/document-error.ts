/** Why a document could not be taken in: each entry is a sentence that its owner can act on. */
const REASONS = {
  empty_file: () => 'The file is empty.',
  unsupported_format: (what: string) =>
    `${what} cannot be read. Add it as PDF, Word (.docx), Markdown, HTML, CSV or plain text.`,
  wrong_format: (what: string) =>
    `${what}. Check that the right file was added, under the right name and type.`,
  corrupt_file: (what: string) => `${what} is damaged or cut short. Save it again and add it once more.`,
  encrypted_file: (what: string) =>
    `${what} is protected by a password. Remove the password and add it again.`,
  no_text: () => 'The file was read, but it holds no text.',
  no_text_layer: () =>
    'This PDF has no text layer: it is probably a scan. Run it through OCR (text recognition) and add it again.',
  too_large: (limit: string) => `The file is larger than ${limit}. Split it into smaller files.`,
  too_much_text: (limit: string) => `The file holds more than ${limit} of text. Split it into smaller files.`,
  too_many_pages: (limit: string) => `The PDF has more than ${limit}. Split it into smaller files.`,
  expands_too_far: (limit: string) =>
    `The file unpacks to more than ${limit}, far more than its text needs. Save it again without attachments.`,
  nested_too_deeply: () =>
    'The file nests its elements too deeply to be read. Simplify its structure or save it as plain text.',
  reading_timed_out: (limit: string) =>
    `Reading the file took longer than ${limit} and was stopped. Split or simplify it.`,
  out_of_memory: () => 'Reading the file took more memory than one file may use. Split or simplify it.',
  reading_failed: () =>
    'Reading the file stopped unexpectedly. Add it again; if it happens twice, save it in another format.',
} as const;

/** Stable names of what can be wrong with a document. */
export type DocumentErrorCode = keyof typeof REASONS;

/** A document that cannot be read, and why: `code` is for programs, `reason` for its owner. */
export class DocumentError extends Error {
  readonly code: DocumentErrorCode;
  readonly reason: string;
  readonly what: string;

  /** `what` completes the sentence of `code`: the thing at fault, or the limit that was passed. */
  constructor(code: DocumentErrorCode, what = 'The file', options?: ErrorOptions) {
    const reason = REASONS[code](what);
    super(reason, options);
    this.name = 'DocumentError';
    this.code = code;
    this.reason = reason;
    this.what = what;
  }
}
