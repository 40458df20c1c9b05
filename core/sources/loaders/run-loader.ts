import { type ChildProcess, fork } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FetchError } from '../../base/http-client.ts';
import { SourceError, type SourceTools } from '../source-reader.ts';
import { type ChildMessage, type ParentMessage, parentMessage } from './loader-messages.ts';

export interface LoaderCall {
  /** The file of the module. */
  readonly path: string;
  /** The name that it exports the loader by; the first that ends with Loader, if null. */
  readonly name: string | null;
  readonly options: readonly unknown[];
}

export interface LoadedText {
  readonly text: string;
  /** JSON. */
  readonly metadata: string;
}

export interface LoaderLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly documents: number;
  readonly characters: number;
}

const root = resolve(import.meta.dirname, '../../..');
const child = resolve(import.meta.dirname, 'loader-child.ts');
const FETCH_BYTES = 25 * 2 ** 20;
const FETCH_MS = 60_000;

/**
 * Runs a document loader in a process of its own and returns its documents. The process has no environment, reads no files
 * but those of the product's packages, and gets the responses to its requests from here. Throws a SourceError.
 */
export async function runLoader(
  call: LoaderCall,
  tools: Pick<SourceTools, 'fetch' | 'signal'>,
  limits: LoaderLimits,
): Promise<readonly LoadedText[]> {
  const running = fork(child, [], {
    execArgv: [
      `--max-old-space-size=${limits.memoryMb}`,
      '--disable-warning=ExperimentalWarning',
      '--permission',
      ...readable(call.path).map((path) => `--allow-fs-read=${path}`),
    ],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
  const signal = AbortSignal.any([tools.signal, AbortSignal.timeout(limits.timeoutMs)]);
  try {
    return await collect(running, { call, tools, limits, signal });
  } finally {
    running.kill('SIGKILL');
  }
}

/** The packages, the code of the child, and the package of the loader. */
function readable(path: string): readonly string[] {
  const own = dirname(realpathSync(path));
  const packages = resolve(root, 'node_modules');
  return [
    packages,
    realpathSync(packages),
    resolve(root, 'core'),
    resolve(root, 'package.json'),
    dirname(path),
    own,
  ];
}

interface Collecting {
  readonly call: LoaderCall;
  readonly tools: Pick<SourceTools, 'fetch'>;
  readonly limits: LoaderLimits;
  readonly signal: AbortSignal;
}

function collect(
  running: ChildProcess,
  { call, tools, limits, signal }: Collecting,
): Promise<readonly LoadedText[]> {
  const { promise, resolve: finish, reject } = Promise.withResolvers<readonly LoadedText[]>();
  const documents: LoadedText[] = [];
  let characters = 0;
  const fail = (reason: string) => reject(new SourceError('loader_failed', reason));
  const reply = (message: ChildMessage) => void (running.connected && running.send(message));
  const handle = (message: ParentMessage): void => {
    if (message.kind === 'end') finish(documents);
    else if (message.kind === 'failure') fail(`The loader failed: ${message.reason}`);
    else if (message.kind === 'fetch') answer(message, tools).then(reply, reject);
    else {
      characters += message.text.length + message.metadata.length;
      documents.push({ text: message.text, metadata: message.metadata });
      if (documents.length > limits.documents || characters > limits.characters) {
        fail(`The loader gave more than ${limits.documents} documents or ${limits.characters} characters.`);
      }
    }
  };
  running.on('message', (value) => {
    const message = parentMessage.safeParse(value);
    if (message.success) handle(message.data);
    else fail('The loader sent an unexpected message.');
  });
  running.on('error', (cause) =>
    reject(new SourceError('loader_failed', 'The loader did not start.', { cause })),
  );
  running.on('exit', () =>
    fail('The loader ended before it was done: it may need more memory than it may use.'),
  );
  const onAbort = () => fail('The loader was not done in time.');
  signal.addEventListener('abort', onAbort, { once: true });
  reply({ kind: 'start', ...call, options: [...call.options] });
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

type FetchMessage = Extract<ParentMessage, { readonly kind: 'fetch' }>;

async function answer(
  { id, url, method, headers, body }: FetchMessage,
  tools: Pick<SourceTools, 'fetch'>,
): Promise<ChildMessage> {
  try {
    const response = await tools.fetch(url, {
      ...{ method, headers: Object.fromEntries(headers), maxBytes: FETCH_BYTES, timeoutMs: FETCH_MS },
      ...(body !== null && { body: Buffer.from(body, 'base64') }),
    });
    const type = response.headers.get('content-type');
    const sent: [string, string][] = type === null ? [] : [['content-type', type]];
    const text = Buffer.from(response.bytes).toString('base64');
    return { kind: 'answered', id, status: response.status, headers: sent, body: text };
  } catch (error) {
    if (error instanceof FetchError) return { kind: 'refused', id, reason: error.message };
    throw error;
  }
}
