/** A file that arrived as part of a form. */
export class UploadedFile {
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
  readonly contentType: string;
  /** Whether it was longer than it may be: then `bytes` is not all of it. */
  readonly truncated: boolean;

  constructor(file: Pick<UploadedFile, 'bytes' | 'name' | 'contentType' | 'truncated'>) {
    this.bytes = file.bytes;
    this.name = file.name;
    this.contentType = file.contentType;
    this.truncated = file.truncated;
  }
}
