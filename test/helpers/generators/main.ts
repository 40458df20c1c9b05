import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { newChannel } from './new-channel.ts';

const usage = `Usage: npm run new -- channel NAME

Writes the files of a new channel: a connector that works for a made-up platform, its page of the documentation and its
contract hooks. Change them until they are those of your platform. CONTRIBUTING.md explains the files.
`;

const root = resolve(import.meta.dirname, '../../..');
const [kind, name = ''] = process.argv.slice(2);
if (kind !== 'channel') {
  process.stderr.write(usage);
  process.exit(2);
}
const written = newChannel(root, name);
if (typeof written === 'string') {
  process.stderr.write(`${written}\n`);
  process.exit(1);
}
// The order of imports depends on the name.
spawnSync('npx', ['biome', 'check', '--write', ...written.filter((path) => path.endsWith('.ts'))], {
  cwd: root,
});
process.stdout.write(`${written.join('\n')}\n
Next: npx vitest run test/connectors/contract -t ${name}
Then add the words of its fields to the texts of the dashboard.\n`);
