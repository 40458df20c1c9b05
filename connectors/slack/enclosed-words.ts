import type { SlackMessage } from './event-schema.ts';
import { pastedTables } from './pasted-tables.ts';
import { plainWords } from './plain-words.ts';

/** What a message says beside its own text: messages that are passed on with it, and tables. Not the previews of links. */
export function enclosedWords(message: SlackMessage): readonly string[] {
  const passedOn = (message.attachments ?? []).flatMap(({ is_share, text }) =>
    is_share === true && text !== null ? [plainWords(text).trim()] : [],
  );
  return [...passedOn, ...pastedTables(message)].filter((words) => words !== '');
}
