/** What begins a conversation has an id of another kind: there is one in each. */
const BEGINNING = 'source';

export function partMessageId(conversation: string, part: string): string {
  return `${conversation}/${part}`;
}

export function sourceMessageId(conversation: string): string {
  return `${conversation}/${BEGINNING}`;
}
