import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../../core/base/error-catalogue.ts';
import { configVariables, readConfig } from '../../../core/config/config.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { CommandError } from '../../../server/cli/command-error.ts';
import { buildProgram } from '../../../server/cli/program.ts';
import { loadLibrary } from '../../../server/docs/library.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { readApi } from '../../helpers/servers/openapi/api-operations.ts';

const root = resolve(import.meta.dirname, '../../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const library = await loadLibrary();
const files = ['README.md', 'test/bench/README.md', ...library.pages.map(({ file }) => file)];
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');

const { app } = await openTestServer();
const { operations } = readApi((await app.inject({ method: 'GET', url: '/openapi.json' })).json());

/** Commands of code blocks and of inline code, with continued lines joined and the reader's values filled in. */
function commandsOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const inline = [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = '']) => code);
  return (
    [...blocks.flatMap((block) => block.replaceAll(/ *\\\n */g, ' ').split('\n')), ...inline]
      // The shell takes a redirection.
      .map((line) => line.trim().replace(/ > \S+$/, ''))
      .map((line) => line.replaceAll('$WORKSPACE', 'ws_01k9').replaceAll('…', '01k9'))
      .filter((line) => line !== '')
  );
}

/** Splits as a shell does, as far as the examples go. */
function words(line: string): string[] {
  return [...line.matchAll(/((?:"[^"]*"|'[^']*'|[^\s"'])+)/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}

describe('the documents', () => {
  test('README.md has at most 12 KB and a release of the changelog at most 10 KB', () => {
    expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(12 * 1_024);
    const releases = textOf('CHANGELOG.md').split(/^(?=## )/m);
    for (const release of releases) expect(Buffer.byteLength(release)).toBeLessThanOrEqual(10 * 1_024);
  });

  test('README.md links to every page', () => {
    const readme = textOf('README.md');
    for (const { file } of library.pages) expect(readme).toContain(`(${file})`);
  });

  test.each(files)('%s links to files and headings that exist', (file) => {
    const broken = [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)]
      .flatMap(([, link = '']) => link)
      .filter((link) => !/^(https?:|mailto:)/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#', 2);
        const target = path === '' ? file : join(dirname(file), path);
        const page = library.pages.find((each) => each.file === target);
        const knowsAnchor =
          anchor === undefined || page?.headings.some((heading) => heading.anchor === anchor);
        return !existsSync(join(root, target)) || !knowsAnchor;
      });
    expect(broken).toEqual([]);
  });

  test.each(files)('%s names only files and folders that exist', (file) => {
    const named = [...textOf(file).matchAll(/`((?:core|server|connectors|workers|test|\.ci)\/[\w./-]+)`/g)];
    const missing = named
      .flatMap(([, path = '']) => path)
      .filter(
        (path) => !tracked.some((known) => known === path || known.startsWith(`${path.replace(/\/$/, '')}/`)),
      );
    expect(missing).toEqual([]);
  });

  test.each(files)('%s names only npm scripts, commands and options that exist', async (file) => {
    const commands = commandsOf(textOf(file));
    for (const command of commands) {
      const script = /^npm (?:run (?:--silent )?)?([\w:]+)/.exec(command)?.[1] ?? 'ci';
      expect(['ci', 'i', 'sbom', ...Object.keys(manifest.scripts)], command).toContain(script);
    }
    const examples = commands.flatMap(
      (command) => /npm run (?:--silent )?parley -- ([^|)]+)/.exec(command)?.[1] ?? [],
    );
    for (const example of examples.filter(
      (each) => each !== '01k9' && !each.includes('--help') && !each.includes('--version'),
    )) {
      // Credentials of these come from variables and input that this process does not have.
      const line = example
        .replaceAll(/--credential-env (\S+)=\S+/g, '--credential $1=x')
        .replace(/ <<.*/, '');
      if (line.includes('--credentials-stdin')) continue;
      const outcome = await buildProgram({
        execute: async () => {},
        run: async () => {},
        print: () => {},
        help: () => {},
      })
        .parseAsync(words(line), { from: 'user' })
        .catch((error: unknown) => error);
      expect(outcome instanceof CommandError ? outcome.code : 'accepted', `${example}: ${outcome}`).not.toBe(
        'wrong_usage',
      );
    }
  });

  test.each(files)('%s calls only operations that exist, with bodies that are JSON', (file) => {
    const text = textOf(file);
    const calls = [...text.matchAll(/^ *curl [\s\S]*?[^\\]$/gm)].map(([call]) =>
      call.replaceAll(/\\\n/g, ' '),
    );
    for (const call of calls) {
      const path = /(?:\$PARLEY|http:\/\/127\.0\.0\.1:8080)(\/[^\s"?]*)/.exec(call)?.[1] ?? '';
      const body = /-d '/.test(call);
      const method = /-X (\w+)/.exec(call)?.[1] ?? (body || call.includes(' -F ') ? 'POST' : 'GET');
      const known = operations.some(
        (operation) =>
          operation.method.toUpperCase() === method &&
          new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      );
      expect(known, `${method} ${path}`).toBe(true);
    }
    for (const [, body = ''] of text.matchAll(/ -d '(\{[\s\S]*?\})'/g))
      expect(() => JSON.parse(body), body).not.toThrow();
    for (const [, block = ''] of text.matchAll(/```json\n([\s\S]*?)```/g)) {
      expect(() => JSON.parse(block), block).not.toThrow();
    }
  });

  test.each(files)('%s names only error codes that exist', (file) => {
    const codes = [...textOf(file).matchAll(/`[45]\d\d ([a-z_]+)`/g)].flatMap(([, code = '']) => code);
    expect(codes.filter((code) => !(code in errorCatalogue))).toEqual([]);
  });
});

describe('the page on configuration', () => {
  const rows = [
    ...textOf('server/docs/pages/configuration.md').matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm),
  ].map(([, name = '', value = '']) => [name, value.replaceAll('`', '')] as const);

  test('has a row for every environment variable, and for no other', () => {
    expect(rows.map(([name]) => name).toSorted()).toEqual([...configVariables].toSorted());
  });

  test('has the defaults of the configuration', () => {
    const defaults: Readonly<Record<string, unknown>> = readConfig({});
    const known = rows.filter(([name]) => name !== 'DATA_DIR');
    for (const [name, value] of known) {
      const set = defaults[name];
      const isAbsent = set === undefined || (Array.isArray(set) && set.length === 0);
      expect([name, value]).toEqual([name, isAbsent ? 'none' : String(set)]);
    }
  });
});

test.each(['slack', 'discord', 'telegram', 'email', 'intercom', 'twilio/voice', 'widget', 'hosted'])(
  'the page of %s names every setting of its manifest',
  (folder) => {
    const name = folder.split('/').at(-1) ?? '';
    const file = existsSync(join(root, `connectors/${folder}/manifest.ts`)) ? 'manifest' : name;
    const source = textOf(`connectors/${folder}/${file}.ts`);
    const settings = /const settings = [\s\S]*?\n\}\);/.exec(source)?.[0] ?? '';
    const names = [...settings.matchAll(/^ {2}([a-z_]+):/gm)].flatMap(([, setting = '']) => setting);
    const page = textOf(`connectors/${folder}/README.md`);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((setting) => !page.includes(`\`${setting}\``))).toEqual([]);
  },
);
