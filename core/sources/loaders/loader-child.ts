import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { z } from 'zod';
import { childMessage, type ParentMessage } from './loader-messages.ts';

/**
 * The process in which a document loader runs: without the environment, without files outside its package, and without
 * connections of its own. Its requests go through the process that started it, which checks addresses.
 */

const documentSchema = z.looseObject({ pageContent: z.string(), metadata: z.looseObject({}).optional() });
const loaderSchema = z.looseObject({ load: z.function() });

let requests = 0;
const waiting = new Map<number, { resolve(response: Response): void; reject(error: Error): void }>();

Socket.prototype.connect = (): never => {
  throw new TypeError('Loaders have no connections of their own. Use one that requests with fetch.');
};

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer()).toString('base64');
  requests += 1;
  const id = requests;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  waiting.set(id, { resolve, reject });
  send({ kind: 'fetch', id, url: request.url, method: request.method, headers: [...request.headers], body });
  return promise;
};

process.on('message', (value) => {
  const message = childMessage.parse(value);
  if (message.kind === 'start') {
    run(message).then(
      () => send({ kind: 'end' }),
      (error: unknown) =>
        send({ kind: 'failure', reason: error instanceof Error ? error.message : String(error) }),
    );
    return;
  }
  const request = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.kind === 'refused') request?.reject(new TypeError(message.reason));
  else {
    const { status, headers, body } = message;
    const isEmpty = [101, 204, 205, 304].includes(status);
    request?.resolve(new Response(isEmpty ? null : Buffer.from(body, 'base64'), { status, headers }));
  }
});

interface Start {
  readonly path: string;
  readonly name: string | null;
  readonly options: readonly unknown[];
}

async function run({ path, name, options }: Start): Promise<void> {
  const exports = z.record(z.string(), z.unknown()).parse({ ...createRequire(import.meta.url)(path) });
  const found = name ?? Object.keys(exports).find((one) => one.endsWith('Loader'));
  const Loader = exports[found ?? ''];
  if (typeof Loader !== 'function') {
    throw new TypeError(
      `The module has no loader ${found ?? ''}. It has: ${Object.keys(exports).join(', ')}.`,
    );
  }
  const loader = loaderSchema.parse(Reflect.construct(Loader, [...options]));
  const documents = z.array(documentSchema).parse(await Reflect.apply(loader.load, loader, []));
  for (const { pageContent, metadata = {} } of documents) {
    send({ kind: 'document', text: pageContent, metadata: JSON.stringify(metadata) });
  }
}

function send(message: ParentMessage): void {
  process.send?.(message);
}
