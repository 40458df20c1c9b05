/** The beginning of a text, at most so many characters: to the end of a line or, where lines are long, of a word. */
export function cutText(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const head = characters.slice(0, max - 1).join('');
  const end = [head.lastIndexOf('\n'), head.lastIndexOf(' ')].find((at) => at > head.length / 2);
  return `${head.slice(0, end).trimEnd()}…`;
}
