// Loaded with `node --import`: records which files of the product are entered, in order.
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from '../helpers/code/typescript-api.ts';

declare global {
  // Every function of the product calls it at its start.
  var enterFile: (file: string) => void;
}

const root = resolve(import.meta.dirname, '../..');
const product = /^(?:core|connectors|server|workers)\/.*\.ts$/;
const entered = new Set<string>();

globalThis.enterFile = (file) => {
  entered.add(file);
};

/** The files entered since the last call, in the order of their first function call. */
export function takeEnteredFiles(): readonly string[] {
  const files = [...entered];
  entered.clear();
  return files;
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith('file:')) return loaded;
    const file = relative(root, fileURLToPath(url));
    if (!product.test(file)) return loaded;
    const source = instrument(file, String(loaded.source));
    return { ...loaded, format: 'module', source: stripTypeScriptTypes(source) };
  },
});

/** Adds a call of `enterFile` at the start of every function body. */
function instrument(file: string, source: string): string {
  const call = `globalThis.enterFile(${JSON.stringify(file)});`;
  const places: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body)) {
      places.push(node.body.getStart() + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return places.sort((a, b) => b - a).reduce((text, at) => text.slice(0, at) + call + text.slice(at), source);
}
