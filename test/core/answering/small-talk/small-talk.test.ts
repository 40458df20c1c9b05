import { describe, expect, test } from 'vitest';
import {
  dropPleasantries,
  findSmallTalk,
  isAgreement,
} from '../../../../core/answering/small-talk/small-talk.ts';
import { messages } from './messages.ts';

describe.each(Object.entries(messages))('in %s', (language, { question, ...talk }) => {
  const said = Object.entries(talk).flatMap(([kind, list]) =>
    list.split('|').map((text) => ({ text, kind })),
  );
  const questions = question.split('|');

  test('the table holds at least 25 messages of small talk and 12 near misses', () => {
    expect(said.length).toBeGreaterThanOrEqual(25);
    expect(questions.length).toBeGreaterThanOrEqual(12);
  });

  test('small talk is told apart by what it says', () => {
    const found = said.map(({ text }) => ({ text, kind: findSmallTalk(text, language)?.kind }));
    expect(found).toEqual(said);
  });

  test('small talk in the language of the visitor is answered in it', () => {
    const others = said.filter(({ text }) => findSmallTalk(text, language)?.language !== language);
    expect(others).toEqual([]);
  });

  test('a message with a question is no small talk', () => {
    expect(questions.filter((text) => findSmallTalk(text, language) !== null)).toEqual([]);
  });
});

describe('the language of small talk', () => {
  test.each([
    ['ok', 'ja', 'ja'],
    ['👍', 'de', 'de'],
    ['hi', 'tr', 'tr'],
    ['ok', 'sv', 'en'],
    ['Vielen Dank!', 'en', 'de'],
    ['gracias', 'fr', 'es'],
    ['merci', 'de', 'de'],
  ])('%s of a visitor whose language is %s is answered in %s', (text, language, expected) => {
    expect(findSmallTalk(text, language)?.language).toBe(expected);
  });
});

describe('signs', () => {
  test.each([
    ['👍', 'okay'],
    ['🙏🙏', 'thanks'],
    ['❤️', 'thanks'],
    ['👋', 'greeting'],
    ['😡', 'upset'],
    [':)', 'okay'],
    [':-(', 'upset'],
    ['???', 'abilities'],
    ['thanks :)', 'thanks'],
    ['12', undefined],
    ['£5 :)', undefined],
    ['...', undefined],
    ['', undefined],
  ])('%s says %s', (text, kind) => {
    expect(findSmallTalk(text, 'en')?.kind).toBe(kind);
  });
});

test.each([
  ['Hi, when do you open?', 'when do you open?'],
  ['Hello! How are you? Do you ship to Norway?', 'Do you ship to Norway?'],
  ['How do I cancel? Thanks!', 'How do I cancel?'],
  ['Guten Tag, wo ist mein Paket? Vielen Dank', 'wo ist mein Paket?'],
  ['こんにちは、何時に開きますか？', '何時に開きますか？'],
  ['no, I want a refund', 'no, I want a refund'],
  ['Hello Kitty mugs', 'Hello Kitty mugs'],
  ['Thanks to the guarantee, may I return it?', 'Thanks to the guarantee, may I return it?'],
  ['It weighs 3.5 kg. Is that normal?', 'It weighs 3.5 kg. Is that normal?'],
  ['Hi!', 'Hi!'],
])('the search of "%s" is for "%s"', (question, searched) => {
  expect(dropPleasantries(question)).toBe(searched);
});

test('only a message that says yes and nothing else agrees', () => {
  expect(['yes', 'ok', 'ja gerne', '好的', '👍', 'yes please'].filter((text) => !isAgreement(text))).toEqual(
    [],
  );
  expect(['no', 'no thanks', 'hi', 'yes, what does it cost?', 'stupid bot'].filter(isAgreement)).toEqual([]);
});
