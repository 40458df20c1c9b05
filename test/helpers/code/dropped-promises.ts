import {
  type ArrowFunction,
  type CallExpression,
  type Expression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isAwaitExpression,
  isBlock,
  isCallExpression,
  isExpressionStatement,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isVoidExpression,
} from 'typescript/unstable/ast/is';
import { API, type Checker, SignatureKind, type Type } from 'typescript/unstable/sync';

interface Found {
  readonly file: string;
  readonly node: Node;
}

/**
 * Returns the places of a TypeScript project where a rejected promise would have no handler, as `file:line code`: a
 * promise as a statement or behind `void`, an asynchronous callback where the caller ignores what it returns, and
 * `.finally(` whose result is neither awaited nor returned.
 */
export function findDroppedPromises(folder: string, isSearched: (file: string) => boolean): string[] {
  const api = new API({ cwd: folder });
  try {
    const projects = api.updateSnapshot({ openProject: `${folder}/tsconfig.json` }).getProjects();
    return projects.flatMap(({ program, checker }) => {
      const promises = new PromiseTypes(checker);
      const files = program
        .getSourceFileNames()
        .filter((name) => name.startsWith(`${folder}/`) && isSearched(name.slice(folder.length + 1)));
      return files.flatMap((name) => {
        const source = program.getSourceFile(name);
        const dropped = source === undefined ? [] : droppedIn(source, promises);
        return dropped.map((node) => placeOf({ file: name.slice(folder.length + 1), node }));
      });
    });
  } finally {
    api.close();
  }
}

function droppedIn(source: SourceFile, promises: PromiseTypes): readonly Node[] {
  const statements: Expression[] = [];
  const callbacks: ArrowFunction[] = [];
  const dropped = new Set<Node>();
  const visit = (node: Node): void => {
    if (isExpressionStatement(node) || isVoidExpression(node))
      statements.push(withoutParentheses(node.expression));
    if (isCallExpression(node)) {
      if (!usesResults(node)) callbacks.push(...node.arguments.filter(isArrowFunction));
      if (methodOf(node) === 'finally' && !isPassedOn(node)) dropped.add(node);
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  const calls = statements.filter((one) => isCallExpression(one) && !isHandled(one));
  for (const call of promises.among(calls)) dropped.add(call);
  for (const callback of promises.returnedBy(callbacks)) {
    if (promises.isResultIgnored(callback)) dropped.add(callback);
  }
  return [...dropped];
}

/** Asks the type checker, and remembers its answer for a type. */
class PromiseTypes {
  readonly #checker: Checker;
  readonly #known = new Map<number, boolean>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  among(expressions: readonly Expression[]): readonly Expression[] {
    const types = this.#checker.getTypeAtLocation(expressions);
    return expressions.filter((_, index) => this.#isPromise(types[index]));
  }

  /** The functions that return a promise whose rejection nothing handles. */
  returnedBy(functions: readonly ArrowFunction[]): readonly ArrowFunction[] {
    const bodies = functions.flatMap(({ body }) => (isBlock(body) ? [] : [withoutParentheses(body)]));
    const calls = bodies.filter((body) => isCallExpression(body) && !isHandled(body));
    const promised = new Set(this.among(calls));
    return functions.filter(({ body, modifiers }) => {
      const isAsync = modifiers?.some((modifier) => modifier.kind === SyntaxKind.AsyncKeyword) ?? false;
      return isAsync || (!isBlock(body) && promised.has(withoutParentheses(body)));
    });
  }

  /** Whether the callback is called by a function that expects it to return nothing. */
  isResultIgnored(callback: ArrowFunction): boolean {
    const expected = this.#checker.getContextualType(callback);
    if (expected === undefined) return false;
    const returned = this.#returnedBy(expected).map((type) => this.#checker.typeToString(type));
    return returned.length > 0 && returned.every((name) => name === 'void');
  }

  #returnedBy(type: Type): readonly Type[] {
    const returned = this.#checker
      .getSignaturesOfType(type, SignatureKind.Call)
      .map((signature) => this.#checker.getReturnTypeOfSignature(signature));
    return returned.flatMap((one) => one ?? []);
  }

  #isPromise(type: Type | undefined): boolean {
    if (type === undefined) return false;
    const known = this.#known.get(type.id);
    if (known !== undefined) return known;
    const name = this.#checker.typeToString(type);
    const is = /^Promise</.test(name) || (!name.includes('=>') && name.includes('| Promise<'));
    this.#known.set(type.id, is);
    return is;
  }
}

/** `.catch(handler)`, `.then(one, other)` and `Promise.allSettled(…)` leave no rejection behind. */
function isHandled(node: Node): boolean {
  if (!isCallExpression(node)) return false;
  const method = methodOf(node);
  if (method === 'catch') return node.arguments.length === 1;
  return method === 'allSettled' || (method === 'then' && node.arguments.length === 2);
}

/** Methods that use what their callback returns; the server's framework awaits what registers routes. */
const usingResults = [
  'then',
  'catch',
  'finally',
  'map',
  'flatMap',
  'filter',
  'some',
  'every',
  'find',
  'register',
];

function usesResults(call: CallExpression): boolean {
  return usingResults.includes(methodOf(call) ?? '');
}

/** Whether another expression gets the result: it is awaited, returned, or the body of an arrow function. */
function isPassedOn(node: Node): boolean {
  let { parent } = node;
  while (isParenthesizedExpression(parent)) parent = parent.parent;
  return isAwaitExpression(parent) || isReturnStatement(parent) || isArrowFunction(parent);
}

function methodOf(node: Node): string | null {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return null;
  return node.expression.name.text;
}

function withoutParentheses(node: Expression): Expression {
  let inner = node;
  while (isParenthesizedExpression(inner)) inner = inner.expression;
  return inner;
}

function placeOf({ file, node }: Found): string {
  const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
  return `${file}:${line + 1} ${node.getText().split('\n', 1)[0]}`;
}
