import { harmless } from './harmless.ts';

export interface SaidMessage {
  readonly from: 'visitor' | 'assistant' | 'agent';
  readonly text: string;
}

/** What was said, for a model to read: the summary of the beginning, then messages, in fences that none can leave. */
export function fencedConversation(summary: string | null, messages: readonly SaidMessage[]): string {
  const begun = summary === null ? [] : [`<summary>\n${harmless(summary)}\n</summary>`];
  const said = messages.map(({ from, text }) => `<message from="${from}">\n${harmless(text)}\n</message>`);
  return ['<conversation>', ...begun, ...said, '</conversation>'].join('\n');
}
