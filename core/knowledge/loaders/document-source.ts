/** A file as it arrived: what it claims to be is only a hint, the bytes decide. */
export interface DocumentSource {
  readonly bytes: Uint8Array;
  /** A media type as in a Content-Type header, parameters allowed. */
  readonly contentType: string | null;
  readonly fileName: string | null;
}
