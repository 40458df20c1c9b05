import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../core/base/error-catalogue.ts';
import { readComments } from '../helpers/code/comments.ts';
import { findRiddles } from '../helpers/code/riddles.ts';
import {
  findMissingPart,
  hasClauseAsSubject,
  type Place,
  splitSentences,
} from '../helpers/code/sentences.ts';
import { sourceFiles } from '../helpers/code/source-files.ts';
import ts from '../helpers/code/typescript-api.ts';

const root = resolve(import.meta.dirname, '../..');
const files = sourceFiles(root).filter(
  // `npm run types:api` writes it.
  (file) => /\.tsx?$/.test(file) && file !== 'server/dashboard/browser/api/api-types.ts',
);
const sources = files.filter((file) => /^(?:core|connectors|server|workers)\/|^main\.ts$/.test(file));

interface Sentence {
  readonly at: string;
  readonly place: Place;
  readonly text: string;
}

const sentences = files.flatMap((file) => readSentences(file, readFileSync(join(root, file), 'utf8')));

describe('comments', () => {
  test('name who does what', () => {
    expect(sentences.flatMap(({ at, text }) => findFaults(at, text))).toEqual([]);
  });

  test('are sentences with a subject and a finite verb, but for what a docstring says first', () => {
    const lacking = sentences.flatMap(({ at, place, text }) => {
      const part = findMissingPart(text, place);
      return part === null ? [] : [`${at}: ${text} → no ${part}`];
    });
    expect(lacking).toEqual([]);
  });
});

describe('the rule of sentences', () => {
  const find = (source: string) =>
    readSentences('planted.ts', source).flatMap(({ place, text }) => findMissingPart(text, place) ?? []);

  test.each([
    ['verb', '// The last line of a page without a heading.'],
    ['verb', '// The rule that holds for every message of a visitor.'],
    ['verb', '// Called with the outcome of each call.'],
    ['verb', '// Loaded on demand, because the library consists of many files.'],
    ['verb', '// If none is named, whether the rows differ in that column.'],
    ['verb', '/** The visitor. Only for platforms that deduplicate messages. */'],
    ['verb', '/** Of a person who is signed in, or of the operator. */'],
    ['verb', '/** Called for every ping and message. */'],
    ['subject', '// Keeps the order, so that no answer overtakes another.'],
    ['subject', '/** Sends a part. Must not throw after the first attempt. */'],
    ['subject', '/** Reads a body up to the limit. Counts the bytes that arrive. */'],
  ])('finds that the %s is missing in %s', (part, source) => {
    expect(find(source)).toEqual([part]);
  });

  test.each([
    '// Parcels of one owner share a budget, so none delays the others.',
    '// A skill that waits for a reply takes precedence.',
    '// Each writes its audit entry in its transaction.',
    '// A message that admission left uncounted is counted here.',
    '// Blocks that fit stay whole; longer ones are cut at list items.',
    '// Do it before the first request to the address.',
    '// Never negative.',
    '// biome-ignore lint/suspicious/noConsole: a program',
    '/** The open conversation, as its parts share it. */',
    '/** Returns the id of the part. Throws `part_not_found` if there is none. */',
    '/** The id. Null if the platform does not tell it. */',
    '/**\n * Sends a part.\n *\n * - with a link\n * - without one that anybody could follow from here\n */',
    'const address = "https://parley.example/with-two-slashes and no verb";',
  ])('passes %s', (source) => {
    expect(find(source)).toEqual([]);
  });

  test.each([
    'Who leaves stops the answer.',
    'What came just now is on its way.',
    'The events are old; what they prove is kept.',
    'The visitor writes, and his message is stored.',
    'Null where the machine lacks it.',
    'So many requests in a row end the run.',
  ])('finds the riddle in “%s”', (sentence) => {
    expect(findFaults('planted.ts', sentence)).toHaveLength(1);
  });
});

test('public error texts are in plain English', () => {
  const texts = Object.entries(errorCatalogue).map(([code, { text }]) => [code, text] as const);
  expect(texts.flatMap(([code, text]) => findFaults(code, text))).toEqual([]);
});

test('names of tests are in plain English', () => {
  const names = files
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => readTestNames(file).map((name) => [file, name] as const));
  expect(names.length).toBeGreaterThan(3_000);
  const faults = names.flatMap(([file, name]) =>
    hasClauseAsSubject(name) ? [`${file}: ${name} → a noun as the subject`] : findFaults(file, name),
  );
  expect(faults).toEqual([]);
});

test('in the texts of the dashboard no relative clause is a subject, and people are they', () => {
  const texts = files
    .filter((file) => file.startsWith('server/dashboard/browser/texts/english'))
    .flatMap((file) => readTexts(file, isText).map((text) => [file, text] as const));
  expect(texts.length).toBeGreaterThan(1_000);
  const faults = texts.flatMap(([file, text]) =>
    splitSentences(text)
      .filter((sentence) => hasClauseAsSubject(sentence) || /\b(?:he|him|his|she|her|hers)\b/i.test(sentence))
      .map((sentence) => `${file}: ${sentence}`),
  );
  expect(faults).toEqual([]);
});

test('log messages are short: at most 60 characters, lower case, no full stop', () => {
  const long = sources.flatMap((file) =>
    readTexts(file, isLogMessage)
      .filter((message) => message.length > 60 || /^[A-Z][a-z]|\.$/.test(message))
      .map((message) => `${file}: ${message}`),
  );
  expect(long).toEqual([]);
});

function findFaults(at: string, text: string): readonly string[] {
  return findRiddles(text).map((instead) => `${at}: ${text.slice(0, 160)} → ${instead}`);
}

function readSentences(file: string, source: string): readonly Sentence[] {
  return readComments(file, source).flatMap(({ line, kind, paragraphs }) =>
    paragraphs.flatMap(splitSentences).map((text, index) => ({
      ...{ at: `${file}:${line}`, text },
      place: kind === 'docstring' && index === 0 ? 'first' : kind,
    })),
  );
}

/** Returns the texts of a file that are wanted, with `§` for what a template inserts. */
function readTexts(file: string, isWanted: (text: ts.Node) => boolean): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    const isTextual = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if (isTextual && isWanted(node)) {
      texts.push(
        node
          .getText()
          .slice(1, -1)
          .replaceAll(/\$\{[^}]*\}/g, '§'),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return texts;
}

function isText(node: ts.Node): boolean {
  return node.getText().includes(' ');
}

function readTestNames(file: string): readonly string[] {
  return readTexts(
    file,
    ({ parent, pos }) =>
      ts.isCallExpression(parent) &&
      parent.arguments[0]?.pos === pos &&
      /^(?:test|describe|it)\b/.test(parent.expression.getText()),
  );
}

/** Whether a text is the message of `log.warn(…)` or its like. */
function isLogMessage({ parent, pos }: ts.Node): boolean {
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return false;
  const { name, expression } = parent.expression;
  if (!/^(?:debug|info|warn|error|fatal)$/.test(name.text) || !/log(?:ger)?$/i.test(expression.getText()))
    return false;
  return parent.arguments.find(ts.isStringLiteralLike)?.pos === pos;
}
