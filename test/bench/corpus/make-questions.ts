import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { splitSentences } from '../../../core/language/sentences.ts';
import { makeChunk } from './make-chunk.ts';
import { random } from './random.ts';
import type { Page } from './read-pages.ts';

const demoQuestions = z.array(z.object({ question: z.string() }));
const openings = ['What about', 'How is it that', 'Is it true that', 'Where do you say', 'Tell me when'];
const keptShare = 0.6;

/**
 * Returns `count` distinct questions: those of the demo, and others in the words of the chunks, in an order of their
 * own.
 */
export async function makeQuestions(pages: readonly Page[], count: number): Promise<readonly string[]> {
  const file = new URL('../../../core/demo/questions.json', import.meta.url);
  const demo = demoQuestions.parse(JSON.parse(await readFile(file, 'utf8'))).map(({ question }) => question);
  const questions = new Set(demo.slice(0, count));
  for (let index = 0; questions.size < count; index++) questions.add(questionAbout(pages, index));
  const next = random(count);
  return [...questions]
    .map((question) => ({ question, place: next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ question }) => question);
}

function questionAbout(pages: readonly Page[], index: number): string {
  const next = random(2 ** 30 + index);
  const sentences = splitSentences(makeChunk(pages, index).body);
  const sentence = sentences[Math.floor(next() * sentences.length)] ?? '';
  const words = sentence
    .replace(/[^\p{L}\p{N}\s'-]/gu, '')
    .split(/\s+/)
    .filter(() => next() < keptShare);
  return `${openings[index % openings.length]} ${words.slice(0, 12).join(' ')}?`;
}
