export interface SourceContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By this name the same document is known when it is added again. */
  readonly fileName: string;
  /** A media type, when something vouches for it. */
  readonly contentType: string | null;
  /** Where it is on the web, for files null. */
  readonly url: string | null;
}
