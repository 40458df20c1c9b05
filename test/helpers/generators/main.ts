import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { addSetting } from './add-setting.ts';
import { copyExample, exampleKinds } from './copy-example.ts';

const kinds = [...exampleKinds, 'setting'];

const usage = `Usage: npm run new -- ${kinds.join('|')} NAME

Writes the files of a new part: a working example for something made up, with its test, and its line in the registry.
Change them until they are your own. A setting of workspaces gets its entries in schema, texts and documentation, and a
test that fails until they are filled in. CONTRIBUTING.md explains the files.
`;

const root = resolve(import.meta.dirname, '../../..');
const [kind = '', name = ''] = process.argv.slice(2);
if (!kinds.includes(kind)) stop(usage);
const written = kind === 'setting' ? addSetting(root, name) : copyExample(root, kind, name);
if (typeof written === 'string') stop(`${written}\n`);
const sources = written.filter((path) => path.endsWith('.ts'));
// The order of imports and the breaks of lines depend on the name.
spawnSync('npx', ['biome', 'check', '--write', ...sources], { cwd: root });
const test =
  kind === 'channel'
    ? `test/connectors/contract -t ${name}`
    : sources.find((path) => path.startsWith('test/'));
process.stdout.write(`${written.join('\n')}\n
Next: npx vitest run ${test}
${kind === 'setting' ? 'It says what to fill in.' : 'Then add its words to the texts of the dashboard.'}\n`);

function stop(reason: string): never {
  process.stderr.write(reason);
  process.exit(2);
}
