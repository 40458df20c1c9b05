/** What can be pressed under an answer, and what a press stands for. */
export type Press = 'up' | 'down' | 'human';

const MEANING = /^parley:(up|down|human):(\d+(?::\d+)?)$/;

/** Names the conversation too: who presses in a channel need not be who asked. At most 100 characters. */
export function writePress(press: Press, lane: string): string {
  return `parley:${press}:${lane}`;
}

export function readPress(customId: string | null): { readonly press: Press; readonly lane: string } | null {
  const [, press, lane] = MEANING.exec(customId ?? '') ?? [];
  if (lane === undefined || (press !== 'up' && press !== 'down' && press !== 'human')) return null;
  return { press, lane };
}
