/** The resource that a document is read from. */
export function documentUri(documentId: string): string {
  return `parley://documents/${documentId}`;
}
