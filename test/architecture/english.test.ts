import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../core/base/error-catalogue.ts';
import { sourceFiles } from '../helpers/code/source-files.ts';
import ts from '../helpers/code/typescript-api.ts';

const root = resolve(import.meta.dirname, '../..');
const files = sourceFiles(root).filter((file) =>
  /^(?:core|connectors|server|workers)\/|^main\.ts$/.test(file),
);

/** Turns of phrase that hide who does what, with the plain form to write instead. */
const riddles: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:he|him|his|himself|she|her|hers)\b/i, 'they, them, their'],
  [/(?:^|[.;:!?] )(?:Who|Whoever|Whatever|Nobody|Somebody)\b/, 'the actor: client, visitor, worker, …'],
  [/(?:^|[.;!?] )What (?!is\b.*\?)/, 'a noun: the message, the response, …'],
  [/\b[Nn]ull where\b|\b[Nn]othing where\b|\bwhere there (?:is|are) (?:none|no)\b/, 'null if …'],
  [/\bthere is of\b|\bfor who\b|\bto be had\b|\bhears of\b|\ball the same\b/, 'plain words'],
];

test('comments are in plain English', () => {
  expect(files.flatMap((file) => commentsIn(file).flatMap((text) => faultsOf(file, text)))).toEqual([]);
});

test('public error texts are in plain English', () => {
  const texts = Object.entries(errorCatalogue).map(([code, { text }]) => [code, text] as const);
  expect(texts.flatMap(([code, text]) => faultsOf(code, text))).toEqual([]);
});

test('log messages are short: at most 60 characters, lower case, no full stop', () => {
  const long = files.flatMap((file) =>
    logMessagesIn(file)
      .filter((message) => message.length > 60 || /^[A-Z][a-z]|\.$/.test(message))
      .map((message) => `${file}: ${message}`),
  );
  expect(long).toEqual([]);
});

function faultsOf(place: string, text: string): readonly string[] {
  return riddles
    .filter(([pattern]) => pattern.test(text))
    .map(([, instead]) => `${place}: ${text.slice(0, 160)} → ${instead}`);
}

/** Each comment as one line of text, without its signs and without quoted words. */
function commentsIn(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const comments: string[] = [];
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const seen = new Set<number>();
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (seen.has(range.pos)) continue;
      seen.add(range.pos);
      comments.push(plainText(text.slice(range.pos, range.end)));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return comments;
}

function plainText(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$|^\/\/ ?/g, '')
    .replace(/\n\s*\* ?/g, ' ')
    .replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, '…')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The messages of `log.warn(…)` and its like, where they are literals. */
function logMessagesIn(file: string): readonly string[] {
  const tree = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const messages: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      /^(?:debug|info|warn|error|fatal)$/.test(node.expression.name.text) &&
      /log(?:ger)?$/i.test(node.expression.expression.getText())
    ) {
      const message = node.arguments.find((argument) => ts.isStringLiteralLike(argument));
      if (message !== undefined && ts.isStringLiteralLike(message)) messages.push(message.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return messages;
}
