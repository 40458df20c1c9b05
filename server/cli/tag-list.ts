/** Adds tags of the command line, one or several with commas, to those read so far. */
export function tagList(value: string, before: readonly string[] = []): string[] {
  return [...before, ...value.split(',').map((tag) => tag.trim())].filter((tag) => tag !== '');
}
