/** The reader itself is at fault or was closed, not the document: the same document may be read another time. */
export class DocumentReaderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DocumentReaderError';
  }
}
