import { afterAll, expect } from 'vitest';
import type { App } from '../../../../server/app.ts';
import { completeDescription } from '../../../../server/openapi/complete-description.ts';
import { answerChecker } from './answer-checker.ts';
import { type ApiOperation, readApi } from './api-operations.ts';

interface Api {
  readonly operations: ReadonlyMap<string, ApiOperation>;
  readonly check: ReturnType<typeof answerChecker>;
}

const ownPath = '/openapi.json';
let described: Api | null = null;

/** Checks that every answer of an operation, in any test, matches the description. */
export function checkAnswers(app: App): void {
  const faults: string[] = [];
  app.addHook('onSend', async (request, reply, payload) => {
    const { method, url = '' } = request.routeOptions;
    if (url === ownPath || (payload && typeof payload !== 'string')) return payload;
    described ??= read(app);
    const { operations, check } = described;
    const operation = operations.get(`${method} ${url}`);
    const status = reply.statusCode;
    const contentType = String(reply.getHeader('content-type') ?? '');
    if (operation !== undefined) {
      const body = typeof payload === 'string' ? payload : '';
      for (const fault of check(operation, { status, contentType, body }))
        faults.push(`${method} ${url} ${fault}`);
    }
    return payload;
  });
  afterAll(() => expect(faults).toEqual([]));
}

/**
 * Reads the description from the app and not by a request: a server that drains would refuse it, and every other test
 * would have no description.
 */
function read(app: App): Api {
  const { operations, schemas } = readApi(completeDescription(app.swagger()));
  const byRoute = operations.map((operation) => [routeOf(operation), operation] as const);
  return { operations: new Map(byRoute), check: answerChecker(schemas) };
}

/** As the server names it: `GET /v1/conversations/:id`. */
function routeOf({ method, path }: ApiOperation): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}
