import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import { type Names, parseName, type Registration, WrittenFiles } from './new-part.ts';

interface Example {
  readonly names: Names;
  /** Each file of the example, and its copy for a name. */
  files(names: Names): ReadonlyMap<string, string>;
  registrations(names: Names): readonly Registration[];
}

const examples: Readonly<Record<string, Example>> = {
  channel: {
    names: { snake: 'echo', camel: 'echo', kebab: 'echo', pascal: 'Echo', title: 'Echo' },
    files: ({ kebab }) => {
      const from = 'server/docs/examples/channel-echo';
      const sources = ['about.ts', 'api-client.ts', 'manifest.ts', 'README.md'].map(
        (file) => [`${from}/${file}`, `connectors/${kebab}/${file}`] as const,
      );
      return new Map([
        ...sources,
        [`${from}/echo.ts`, `connectors/${kebab}/${kebab}.ts`],
        [`${from}/test/contract-hooks.ts`, `test/connectors/${kebab}/contract-hooks.ts`],
      ]);
    },
    registrations: ({ camel, kebab }) => [
      {
        file: 'connectors/registry.ts',
        before: /^import \{ slack \}/mu,
        line: `import { ${camel} } from './${kebab}/${kebab}.ts';`,
      },
      { file: 'connectors/registry.ts', before: /^\];/mu, line: `  defineConnector(${camel}),` },
    ],
  },
  source: {
    names: { snake: 'shelf', camel: 'shelf', kebab: 'shelf', pascal: 'Shelf', title: 'Shelf' },
    files: ({ kebab }) =>
      new Map([
        ['server/docs/examples/source-shelf/shelf.ts', `core/sources/tools/${kebab}.ts`],
        ['test/server/docs/examples/shelf.test.ts', `test/core/sources/tools/${kebab}.test.ts`],
      ]),
    registrations: ({ camel, kebab }) => [
      {
        file: 'core/sources/source-kinds.ts',
        before: /^import \{ website \}/mu,
        line: `import { ${camel}Kind } from './tools/${kebab}.ts';`,
      },
      { file: 'core/sources/source-kinds.ts', before: /^ {2}\];/mu, line: `    ${camel}Kind,` },
    ],
  },
  skill: {
    names: {
      snake: 'tell_today',
      camel: 'tellToday',
      kebab: 'tell-today',
      pascal: 'TellToday',
      title: 'Tell today',
    },
    files: ({ kebab }) =>
      new Map([
        ['server/docs/examples/skill-today/tell-today.ts', `core/answering/skills/${kebab}/${kebab}.ts`],
        ['test/server/docs/examples/tell-today.test.ts', `test/core/answering/skills/${kebab}.test.ts`],
      ]),
    registrations: ({ snake, camel, kebab }) => [
      {
        file: 'core/answering/skills/built-in-skills.ts',
        before: /^\nexport const builtInSkillNames/mu,
        line: `import { ${camel} } from './${kebab}/${kebab}.ts';`,
      },
      {
        file: 'core/answering/skills/built-in-skills.ts',
        before: /humanSkill\] as const/u,
        line: `'${snake}', `,
      },
      { file: 'core/answering/skills/built-in-skills.ts', before: /\]\.filter/u, line: `, ${camel}()` },
    ],
  },
};

export const exampleKinds = Object.keys(examples);

/**
 * Copies the example of a kind under a new name, with its test, and adds it to the registry. Returns the paths of the
 * written files, or the reason in one line why it wrote none.
 */
export function copyExample(root: string, kind: string, name: string): readonly string[] | string {
  const example = examples[kind];
  if (example === undefined) return `There is no generator of a ${kind}.`;
  const names = parseName(name);
  if (typeof names === 'string') return names;
  // A channel's name is one word: its identifier, its folder and the value in the API are the same.
  if (kind === 'channel' && name.includes('-')) return 'The name of a channel is one word.';
  const files = example.files(names);
  const existing = [...files.values()].find((path) => existsSync(join(root, path)));
  if (existing !== undefined) return `There is a file ${existing} already.`;
  const written = new WrittenFiles(root);
  for (const [from, to] of files) {
    const renamed = moveImports(readFileSync(join(root, from), 'utf8'), { from, to, files });
    written.write(to, rename(renamed, example.names, names));
  }
  for (const registration of example.registrations(names)) written.register(registration);
  return written.paths;
}

function rename(text: string, from: Names, to: Names): string {
  return text
    .replaceAll(new RegExp(`${from.pascal}(?=[A-Z])`, 'gu'), to.pascal)
    .replaceAll(new RegExp(`${from.camel}(?=[A-Z])`, 'gu'), to.camel)
    .replaceAll(from.title, to.title)
    .replaceAll(from.snake, to.snake)
    .replaceAll(from.camel, to.camel)
    .replaceAll(from.kebab, to.kebab)
    .replaceAll(from.snake.toUpperCase(), to.snake.toUpperCase());
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Lets relative imports, and the paths of the example in texts, lead to the same files from the new place. */
function moveImports(text: string, { from, to, files }: Move): string {
  const moved = text.replaceAll(/(?<=from ')\.[^']+(?=')/gu, (specifier) => {
    const target = join(dirname(from), specifier);
    const path = relative(dirname(to), files.get(target) ?? target);
    return path.startsWith('.') ? path : `./${path}`;
  });
  return [...files].reduce((paths, [old, path]) => paths.replaceAll(old, path), moved);
}
