import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FetchError } from '../../../../core/base/http-client.ts';
import { loaderKind, missingLoaders } from '../../../../core/sources/loaders/loader-kind.ts';
import type { LoaderLimits } from '../../../../core/sources/loaders/run-loader.ts';
import { ToolBench, type ToolCall } from '../../../helpers/sources/tools/tool-bench.ts';
import { FileHost } from '../../../helpers/sources/walk/tool-world.ts';

const module = resolve(import.meta.dirname, 'package/index.cjs');

interface Values {
  readonly arguments?: readonly unknown[];
  readonly secrets?: object;
  readonly limits?: Partial<LoaderLimits>;
  readonly modules?: readonly string[];
}

function open({ arguments: given = ['pages'], secrets = {}, limits = {}, modules = [module] }: Values = {}) {
  const host = {
    origin: 'https://acme.example',
    respond({ headers, body, method }: ToolCall) {
      return {
        bytes: `${method} ${headers.get('x-token')} ${body}`,
        headers: { 'content-type': 'text/plain' },
      };
    },
  };
  const values = {
    settings: { module, arguments: JSON.stringify(given) },
    credentials: { secret_options: JSON.stringify(secrets) },
  };
  return new ToolBench(loaderKind(modules, limits), values, host, new FileHost('https://other.example'));
}

describe('a document loader', () => {
  test('gives its documents, and joins those of one source', async () => {
    const bench = open();
    expect((await bench.list()).keys).toEqual(['b-1', 'https://acme.example/a']);
    expect(await bench.content('https://acme.example/a')).toMatchObject({
      ...{ text: 'First page.\n\nSecond page.', title: 'Manual', url: 'https://acme.example/a' },
    });
    expect((await bench.content('b-1')).url).toBe('https://acme.example/b');
    expect(await bench.read('c')).toEqual({ kind: 'gone' });
    await bench.run();
    expect(await bench.run()).toEqual({ 'b-1': 'same', 'https://acme.example/a': 'same' });
  });

  test('requests through the check of addresses, with its secret options', async () => {
    const url = 'https://acme.example/x';
    const bench = open({ arguments: ['fetch', { url }], secrets: { token: 'right-token' } });
    expect((await bench.content(url)).text).toBe('POST right-token Hello');
    const failing = open({ arguments: ['fail'], secrets: { token: 'right-token' } });
    await expect(failing.list()).rejects.toThrow('The loader failed: The token ••• is not valid.');
    const refused = open({ arguments: ['fetch', { url: 'http://10.0.0.1/' }] });
    refused.fetch = () =>
      Promise.reject(new FetchError('address_refused', '10.0.0.1 is not a public address.'));
    await expect(refused.list()).rejects.toThrow('The loader failed: 10.0.0.1 is not a public address.');
  });

  test('sees no environment, no files of others, and opens no connection', async () => {
    expect((await open({ arguments: ['environment'] }).content('document 1')).text).not.toMatch(
      /PATH|HOME|KEY|URL/,
    );
    const file = open({ arguments: ['file', { path: '/etc/passwd' }] });
    await expect(file.list()).rejects.toThrow(/The loader failed: .*restricted/);
    await expect(open({ arguments: ['socket'] }).list()).rejects.toThrow(
      'Loaders have no connections of their own.',
    );
  });

  test('that does not end, needs too much memory or gives too much is stopped', async () => {
    const code = 'loader_failed';
    const slow = open({ arguments: ['wait'], limits: { timeoutMs: 5_000 } });
    await expect(slow.list()).rejects.toMatchObject({ code, message: 'The loader was not done in time.' });
    const large = open({ arguments: ['memory'], limits: { memoryMb: 32 } });
    await expect(large.list()).rejects.toThrow('it may need more memory');
    await expect(open({ arguments: ['exit'] }).list()).rejects.toMatchObject({ code });
    await expect(open({ limits: { documents: 2 } }).list()).rejects.toThrow('more than 2 documents');
  });

  test('needs an operator who allows its module, and its package', async () => {
    expect(loaderKind([]).unavailable).toContain('SOURCE_LOADERS');
    expect(loaderKind([module]).unavailable).toBeUndefined();
    await expect(open({ modules: [] }).list()).rejects.toMatchObject({ code: 'loader_not_allowed' });
    const name = '@acme/not-installed/document_loaders/web/x';
    expect(missingLoaders([name, module])).toEqual([
      {
        module: name,
        advice: `The package of ${name} is not installed. Run: npm install @acme/not-installed`,
      },
    ]);
  });
});
