import type { Agent } from '../../../api/queries/conversation.ts';

interface Piece {
  readonly text: string;
  /** The id of the person who is mentioned; null for other text. */
  readonly person: string | null;
}

/** Splits a note at the people that it mentions: `@` and the whole name. The longest name wins. */
export function splitMentions(text: string, agents: readonly Agent[]): readonly Piece[] {
  const byLength = agents.toSorted((a, b) => b.name.length - a.name.length);
  const pieces: Piece[] = [];
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const found =
      text[at] === '@'
        ? byLength.find(({ name }) => name !== '' && text.startsWith(name, at + 1))
        : undefined;
    if (found === undefined) {
      plain += text[at];
      at += 1;
      continue;
    }
    if (plain !== '') pieces.push({ text: plain, person: null });
    plain = '';
    pieces.push({ text: `@${found.name}`, person: found.id });
    at += found.name.length + 1;
  }
  return plain === '' ? pieces : [...pieces, { text: plain, person: null }];
}

/** The ids of the people that a note mentions. */
export function mentionsIn(text: string, agents: readonly Agent[]): string[] {
  const ids = splitMentions(text, agents).flatMap(({ person }) => (person === null ? [] : [person]));
  return [...new Set(ids)];
}
