import { STATUS_CODES } from 'node:http';

interface Response {
  readonly description: string;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Shared {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** For `components.responses`. */
  readonly responses: Readonly<Record<string, Response>>;
}

/**
 * Moves error responses that several operations share into `components.responses` and refers to them there.
 */
export function shareResponses(paths: Paths): Shared {
  const uses = new Map<string, number>();
  for (const [status, response] of errorResponses(paths)) {
    const key = createKey(status, response);
    uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  const responses: Record<string, Response> = {};
  for (const [status, response] of errorResponses(paths)) {
    const key = createKey(status, response);
    if (names.has(key) || uses.get(key) === 1) continue;
    const name = freeName(createName(status, response), responses);
    names.set(key, name);
    responses[name] = response;
  }
  return { paths: mapOperations(paths, (operation) => withReferences(operation, names)), responses };
}

function withReferences(operation: Operation, names: ReadonlyMap<string, string>): object {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const name = names.get(createKey(status, response));
    return [status, name === undefined ? response : { $ref: `#/components/responses/${name}` }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

function errorResponses(paths: Paths): [status: string, response: Response][] {
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => Object.entries(operation.responses))
    .filter(([status]) => !status.startsWith('2'));
}

function createKey(status: string, response: Response): string {
  return `${status} ${JSON.stringify(response)}`;
}

/**
 * Names a response after the code if there is exactly one, such as `DocumentNotFound`, else after the status, such as
 * `Unauthorized`.
 */
function createName(status: string, { description }: Response): string {
  const [code, another] = Array.from(description.matchAll(/^`(\w+)`:/gm), ([, found = '']) => found);
  const words = code !== undefined && another === undefined ? code : (STATUS_CODES[status] ?? status);
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** Appends a number: the same codes can occur with different headers. */
function freeName(name: string, taken: Readonly<Record<string, Response>>): string {
  let free = name;
  for (let number = 2; Object.hasOwn(taken, free); number += 1) free = `${name}${number}`;
  return free;
}

function mapOperations(paths: Paths, change: (operation: Operation) => object): Shared['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, change(operation)])),
    ]),
  );
}
