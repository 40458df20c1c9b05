import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { nodeArguments } from '../node-arguments.ts';
import { sourceFiles } from './source-files.ts';
import ts from './typescript-api.ts';

export interface Expression {
  /** `folder/file.ts:line`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const folders = /^(?:core|connectors|server|workers)\//;
const builtSchema = z.array(z.object({ place: z.string(), source: z.string(), flags: z.string() }));

/** The regular expressions that stand in the sources as such, and where others are built at run time. */
export function findExpressions(root: string): {
  readonly literals: readonly Expression[];
  readonly constructions: readonly string[];
} {
  const literals: Expression[] = [];
  const constructions: string[] = [];
  for (const file of sourceFiles(root).filter((name) => folders.test(name))) {
    const tree = ts.createSourceFile(
      file,
      readFileSync(join(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const placeOf = (node: ts.Node) =>
      `${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        literals.push({
          place: placeOf(node),
          source: node.text.slice(1, end),
          flags: node.text.slice(end + 1),
        });
      } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isRegExp(node.expression)) {
        constructions.push(placeOf(node));
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return { literals, constructions };
}

/** The regular expressions that the sources build when they are loaded and used, as a process of its own records them. */
export function recordExpressions(root: string, constructions: readonly string[]): readonly Expression[] {
  const files = [...new Set(constructions.map((place) => place.slice(0, place.lastIndexOf(':'))))];
  const script = join(root, 'test/helpers/code/record-expressions.ts');
  const printed = execFileSync(process.execPath, [...nodeArguments, script, root, ...files], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return builtSchema.parse(JSON.parse(printed));
}

function isRegExp(node: ts.Node): boolean {
  return ts.isIdentifier(node) && node.text === 'RegExp';
}
