import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder that a new channel is copied from, which tests hold to the contract. */
const EXAMPLE = 'server/docs/examples/channel-echo';
const NAME = /^[a-z][a-z0-9]{1,29}$/;

/**
 * Writes the files of a new channel: a copy of the example under the new name, with its contract hooks, and its line in the
 * registry. Returns the paths of the written files, or the reason in one line why it wrote none.
 */
export function newChannel(root: string, name: string): readonly string[] | string {
  if (!NAME.test(name)) return `The name of a channel is 2 to 30 small letters and digits, not ${name}.`;
  const folder = join('connectors', name);
  if (existsSync(join(root, folder))) return `There is a folder ${folder} already.`;
  const written: string[] = [];
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    written.push(path);
  };
  for (const file of readdirSync(join(root, EXAMPLE), { recursive: true, encoding: 'utf8' })) {
    if (!file.includes('.')) continue;
    const text = rename(readFileSync(join(root, EXAMPLE, file), 'utf8'), name);
    if (file.startsWith('test/'))
      write(join('test/connectors', name, file.slice('test/'.length)), moveTest(text));
    else write(join(folder, file.replace('echo', name)), moveSource(text, name));
  }
  write('connectors/registry.ts', register(readFileSync(join(root, 'connectors/registry.ts'), 'utf8'), name));
  return written.sort();
}

function rename(text: string, name: string): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return text.replaceAll('Echo', title).replaceAll('echo', name).replaceAll('ECHO', name.toUpperCase());
}

function moveSource(text: string, name: string): string {
  return text
    .replaceAll('../../../../core/', '../../core/')
    .replaceAll('../../../../connectors/shared/', '../shared/')
    .replaceAll(`server/docs/examples/channel-${name}/`, `connectors/${name}/`);
}

function moveTest(text: string): string {
  return text
    .replaceAll('../../../../../core/', '../../../core/')
    .replaceAll('../../../../../test/connectors/', '../');
}

function register(registry: string, name: string): string {
  return registry
    .replace(/(?=^import \{ slack \})/m, `import { ${name} } from './${name}/${name}.ts';\n`)
    .replace(/(?=^\];)/m, `  defineConnector(${name}),\n`);
}
