import ts from './typescript-api.ts';

/** A comment of a source file: the text without its signs, one paragraph an entry. */
export interface Comment {
  /** Line of the file on which the comment begins, from 1. */
  line: number;
  kind: 'docstring' | 'line';
  paragraphs: readonly string[];
}

/**
 * Returns the comments of a TypeScript file in their order. Lines of `//` that follow each other are one comment. Code
 * fences, lists, tables, tags (`@param`), directives and licences are left out: they are no prose.
 */
export function readComments(file: string, text: string): readonly Comment[] {
  const literals = findLiterals(file, text);
  const comments: Comment[] = [];
  let next = 0;
  let lastEnd = -1;
  let lines: string[] = [];
  const closeLines = () => {
    const paragraphs = toParagraphs(lines);
    const last = comments.at(-1);
    if (last?.kind === 'line' && last.paragraphs.length === 0) last.paragraphs = paragraphs;
    lines = [];
  };
  for (let at = text.indexOf('/'); at !== -1; at = text.indexOf('/', at)) {
    while ((literals[next]?.end ?? Infinity) <= at) next += 1;
    const literal = literals[next];
    if (literal && literal.start <= at) {
      at = literal.end;
    } else if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at);
      const follows = lastEnd !== -1 && /^\n[ \t]*$/.test(text.slice(lastEnd, at));
      if (!follows) {
        closeLines();
        comments.push({ line: lineOf(text, at), kind: 'line', paragraphs: [] });
      }
      lines.push(text.slice(at + 2, end).trimEnd());
      lastEnd = end;
      at = end;
    } else if (text.startsWith('/*', at)) {
      closeLines();
      lastEnd = -1;
      const end = text.indexOf('*/', at + 2);
      const inner = text
        .slice(at, end)
        .replace(/^\/\*+/, '')
        .split('\n');
      const paragraphs = toParagraphs(inner.map((line) => line.replace(/^\s*\* ?/, '')));
      comments.push({ line: lineOf(text, at), kind: 'docstring', paragraphs });
      at = end + 2;
    } else {
      at += 1;
    }
  }
  closeLines();
  return comments.filter(({ paragraphs }) => paragraphs.length > 0);
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** Returns where strings, templates, regular expressions and texts of JSX stand: a `//` in them begins no comment. */
function findLiterals(file: string, text: string): readonly { start: number; end: number }[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: { start: number; end: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isLiteralExpression(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    ) {
      found.push({ start: ts.isJsxText(node) ? node.pos : node.getStart(), end: node.end });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found.sort((a, b) => a.start - b.start);
}

const NO_PROSE = /^\s*(?:biome-ignore|@ts-|eslint|<reference|#region|#endregion|SPDX-|Copyright|\||@\w+)/;

function toParagraphs(lines: readonly string[]): readonly string[] {
  const paragraphs: string[][] = [[]];
  let fenced = false;
  let listed = false;
  for (const raw of lines) {
    const line = raw.trim();
    if (line.startsWith('```')) {
      fenced = !fenced;
      continue;
    }
    if (line === '') {
      paragraphs.push([]);
      listed = false;
    } else if (/^(?:[-*•]|\d+[.)])\s/.test(line)) {
      paragraphs.push([]);
      listed = true;
    } else if (!fenced && !listed && !NO_PROSE.test(line)) {
      paragraphs.at(-1)?.push(line);
    }
  }
  return paragraphs.map((words) => words.join(' ').replace(/\s+/g, ' ').trim()).filter(Boolean);
}
