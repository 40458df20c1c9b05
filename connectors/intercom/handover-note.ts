import type { Recap } from '../../core/contract/outbound.ts';
import type { Block } from '../shared/markdown/block.ts';
import { plainText } from '../shared/markdown/plain-text.ts';
import { readMarkdown } from '../shared/markdown/read-markdown.ts';

const beginning =
  'Passed on by the bot, which is silent in this conversation now. Assign it to the bot to let it answer again.';
/** What is longer stands above the note, in the conversation itself. */
const MOST_CHARACTERS = 300;
const MOST_TURNS = 5;

/** What the team is told of a conversation that goes to it: why, what was asked, and what the bot said to that. */
export function handoverNote(recap: Recap | undefined): readonly Block[] {
  const { summary = null, turns = [] } = recap ?? {};
  return [
    line(null, beginning),
    ...(summary === null ? [] : [line('Before that', summary)]),
    ...turns
      .slice(-MOST_TURNS)
      .flatMap(({ question, answer }) => [
        line('Asked', question),
        ...(answer === null ? [] : [line('Answered', wordsOf(answer), true)]),
      ]),
  ];
}

function line(name: string | null, words: string, tight = false): Block {
  const title = name === null ? [] : [{ text: `${name}: `, style: { bold: true } } as const];
  const spans = [...title, { text: shortened(words), style: {} }];
  return { kind: 'text', heading: null, prefix: '', quoted: false, tight, spans };
}

function wordsOf(markdown: string): string {
  return plainText(readMarkdown(markdown, { tableColumns: 0 }));
}

function shortened(words: string): string {
  const flat = words.replaceAll(/\s+/g, ' ').trim();
  return flat.length > MOST_CHARACTERS ? `${flat.slice(0, MOST_CHARACTERS).toWellFormed()}…` : flat;
}
