import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { type Names, parseName, type Registration, WrittenFiles } from './new-part.ts';

const schema = 'core/workspaces/workspace-settings.ts';
const english = 'server/admin/settings/setting-descriptions.ts';
const german = 'server/dashboard/browser/texts/german/fields.ts';
const documentation = 'server/docs/pages/configuration.md';

/** The start of a text that its author still has to write. A test finds it in all of them. */
const toWrite = 'Fill in';

/**
 * Adds a setting of workspaces: a switch at first, with texts to fill in and a test that fails until then. Returns the paths
 * of the written files, or the reason in one line why it wrote none.
 */
export function addSetting(root: string, name: string): readonly string[] | string {
  const names = parseName(name);
  if (typeof names === 'string') return names;
  const { kebab, snake } = names;
  const test = `test/core/workspaces/${kebab}-setting.test.ts`;
  if (existsSync(join(root, test))) return `There is a file ${test} already.`;
  if (readFileSync(join(root, schema), 'utf8').includes(`\n  ${snake}:`))
    return `There is a setting ${snake} already.`;
  const written = new WrittenFiles(root);
  for (const registration of registrations(names)) written.register(registration);
  written.write(test, failingTest(snake));
  return written.paths;
}

function registrations({ snake, title }: Names): readonly Registration[] {
  return [
    {
      file: schema,
      before: /^\}\);\n\nexport type WorkspaceSettings/mu,
      line: `  ${snake}: z.boolean().optional(),`,
    },
    {
      file: english,
      before: /^\};\n\nconst propertySchema/mu,
      line: `  ${snake}: {
    group: 'answers',
    title: '${title}',
    description: '${toWrite}: what it is.',
    default: false,
    effect: '${toWrite}: what it changes for visitors or agents, and when.',
  },`,
    },
    {
      file: german,
      before: /^\};/mu,
      line: `  ${snake}: {
    title: '${title}',
    description: '${toWrite}: the description in German.',
    effect: '${toWrite}: the effect in German.',
  },`,
    },
    {
      file: documentation,
      before: /^\n## Plans/mu,
      line: `| \`${snake}\` | \`false\` | ${toWrite}: what it changes |`,
    },
  ];
}

function failingTest(snake: string): string {
  return `import { expect, test } from 'vitest';

test('the setting ${snake} changes what its texts say', () => {
  expect.unreachable(\`Fill in, and test here what ${snake} changes:
- ${schema}: the values that it takes, a switch for now
- ${english}: its group, title, description, default and effect
- ${german}: the same in German
- ${documentation}: its row
- the code that reads settings.${snake}
Then run npm run types:api.\`);
});
`;
}
