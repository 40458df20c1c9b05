/** The workers that neither search nor index. */
const withoutSearch: ReadonlySet<string> = new Set([
  'deliver',
  'housekeeping',
  'listeners',
  'summaries',
  'webhooks',
]);

/** Whether a process needs the embedding model, by the words that it is started with. */
export function needsEmbedder(words: readonly string[]): boolean {
  const [service, ...workers] = words;
  return service !== 'workers' || workers.length === 0 || workers.some((name) => !withoutSearch.has(name));
}
