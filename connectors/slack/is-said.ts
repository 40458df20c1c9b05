import type { SlackMessage } from './event-schema.ts';

/** The other ones tell of something else than words: who came, what was pinned, that a message was changed. */
const SAID = new Set([null, 'file_share', 'thread_broadcast', 'me_message', 'bot_message']);

/** Whether a message is what somebody says. */
export function isSaid({ subtype }: Pick<SlackMessage, 'subtype'>): boolean {
  return SAID.has(subtype);
}
