import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';

/** A place in a file that lists what was generated, and the line to add there. */
interface Registration {
  readonly file: string;
  /** The line before which `line` is added. */
  readonly before: RegExp;
  readonly line: string;
}

/** Names of the new part, as the texts of the example have theirs. */
interface Names {
  /** As in `tell_today`. */
  readonly snake: string;
  /** As in `tellToday`. */
  readonly camel: string;
  /** As in `tell-today`. */
  readonly kebab: string;
  /** As in `TellToday`, the start of the names of classes. */
  readonly pascal: string;
  /** As in `Tell today`. */
  readonly title: string;
}

interface Example {
  readonly names: Names;
  /** Each file of the example, and its copy for a name. */
  files(names: Names): ReadonlyMap<string, string>;
  registrations(names: Names): readonly Registration[];
}

/** Names are 2 to 30 small letters, digits and single hyphens. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u;

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
  if (!NAME.test(name) || name.length < 2 || name.length > 30)
    return `A name has 2 to 30 small letters, digits and hyphens between them, not ${name}.`;
  // A channel's name is one word: its identifier, its folder and the value in the API are the same.
  if (kind === 'channel' && name.includes('-')) return 'The name of a channel is one word.';
  const names = toNames(name);
  const files = example.files(names);
  const existing = [...files.values()].find((path) => existsSync(join(root, path)));
  if (existing !== undefined) return `There is a file ${existing} already.`;
  const written: string[] = [];
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    if (!written.includes(path)) written.push(path);
  };
  for (const [from, to] of files) {
    const renamed = moveImports(readFileSync(join(root, from), 'utf8'), { from, to, files });
    write(to, rename(renamed, example.names, names));
  }
  for (const { file, before, line } of example.registrations(names)) {
    const text = readFileSync(join(root, file), 'utf8');
    const isWhole = before.source.startsWith('^');
    write(
      file,
      text.replace(before, (found) => `${line}${isWhole ? '\n' : ''}${found}`),
    );
  }
  return written.sort();
}

function toNames(name: string): Names {
  const words = name.split('-');
  const [first = '', ...others] = words;
  return {
    snake: words.join('_'),
    camel: first + others.map(capitalise).join(''),
    kebab: name,
    pascal: words.map(capitalise).join(''),
    title: [capitalise(first), ...others].join(' '),
  };
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

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
