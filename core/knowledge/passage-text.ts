/** What is embedded and tokenised for a chunk: the passage under the path that leads to it. */
export function passageText(title: string, headings: readonly string[], body: string): string {
  const path = [title, ...headings].map((part) => part.trim()).filter((part) => part !== '');
  return path.length === 0 ? body : `${path.join(' > ')}\n${body}`;
}
