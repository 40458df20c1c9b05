import type { Recap } from '../../core/contract/reply.ts';
import { plainText } from '../shared/markdown/plain-text.ts';
import { readMarkdown } from '../shared/markdown/read-markdown.ts';
import { escaped } from './write-html.ts';

const beginning =
  'Passed on by the bot, which is silent in this conversation now. Assign it to the bot to let it answer again.';
/** What is longer stands above the note, in the conversation itself. */
const MOST_CHARACTERS = 300;
const MOST_TURNS = 5;

/** What the team is told of a conversation that goes to it: why, what was asked, and what the bot said to that. */
export function handoverNote(recap: Recap | undefined): string {
  const { summary = null, turns = [] } = recap ?? {};
  const paragraphs = [
    [beginning],
    ...(summary === null ? [] : [[line('Before that', summary)]]),
    ...turns
      .slice(-MOST_TURNS)
      .map(({ question, answer }) => [
        line('Asked', question),
        ...(answer === null ? [] : [line('Answered', plainText(readMarkdown(answer, { tableColumns: 0 })))]),
      ]),
  ];
  return paragraphs.map((lines) => `<p>${lines.join('<br>')}</p>`).join('');
}

function line(name: string, words: string): string {
  return `<b>${name}:</b> ${escaped(shortened(words))}`;
}

function shortened(words: string): string {
  const flat = words.replaceAll(/\s+/g, ' ').trim();
  return flat.length > MOST_CHARACTERS ? `${flat.slice(0, MOST_CHARACTERS).toWellFormed()}…` : flat;
}
