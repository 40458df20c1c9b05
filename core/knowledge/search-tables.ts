/** What a search reads. */
export const searchTables: readonly string[] = [
  'posting',
  'term_count',
  'chunk',
  'chunk_vector',
  'document',
  'scope',
];
