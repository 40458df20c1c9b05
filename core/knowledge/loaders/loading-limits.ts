/** What one document may cost. Each limit ends in a DocumentError that names it. */
export interface LoadingLimits {
  readonly maxFileBytes: number;
  readonly maxTextCharacters: number;
  readonly maxPdfPages: number;
  /** Of the text parts of a DOCX; its pictures are never unpacked. */
  readonly maxUnpackedBytes: number;
}

export const DEFAULT_LOADING_LIMITS: LoadingLimits = {
  maxFileBytes: 25 * 1024 * 1024,
  maxTextCharacters: 5_000_000,
  maxPdfPages: 3_000,
  maxUnpackedBytes: 64 * 1024 * 1024,
};
