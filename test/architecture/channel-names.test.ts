import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../connectors/registry.ts';
import { sourceFiles } from '../helpers/code/source-files.ts';
import ts from '../helpers/code/typescript-api.ts';

const root = resolve(import.meta.dirname, '../..');

/** Files and folders outside a connector that name channels, with the reason. A path with a slash at its end is a folder. */
const exceptions: Readonly<Record<string, string>> = {
  'connectors/registry.ts': 'the list of the channels',
  'core/contract/conversation-values.ts':
    'the two chats of this installation, which the schema names too: a partial index, triggers and functions',
  'server/hosted/': 'the HTTP side of the channel of that name, which visitors reach without a platform',
  'server/widget/': 'the HTTP side of the channel of that name, which visitors reach without a platform',
  'server/dashboard/browser/texts/': 'texts',
};

const channels: ReadonlySet<string> = new Set(connectors.map(({ manifest }) => manifest.channel));

/** Words of other things as well: a field of people, a kind of source, a guide. They count beside a channel or that word. */
const ambiguous: ReadonlySet<string> = new Set(['email', 'intercom', 'widget']);

const files = sourceFiles(root).filter(
  (file) =>
    /^(?:core|connectors|server|workers)\/|^main\.ts$/.test(file) &&
    !/^connectors\/(?!shared\/)[^/]+\//.test(file) &&
    !file.endsWith('/api-types.ts'),
);

describe('the names of channels', () => {
  test('stand in the folder of their channel, and in the exceptions', () => {
    const named = files.filter((file) => !isException(file)).flatMap((file) => findNames(file, textOf(file)));
    expect(named).toEqual([]);
  });

  test('stand in every exception', () => {
    const idle = Object.keys(exceptions).filter(
      (path) => !files.some((file) => file.startsWith(path) && findNames(file, textOf(file)).length > 0),
    );
    expect(idle).toEqual([]);
  });

  test.each([
    ["const isChat = channel === 'telegram';", 'telegram'],
    ['const icons = { slack: Hash };', 'slack'],
    ["const asked = ['sms', 'email'];", 'sms'],
    ["if (kind.channel === 'email') send();", 'email'],
    ["sql`where channel in ('hosted')`;", 'hosted'],
    ["sql`where channel.channel = 'email'`;", 'email'],
    ["import { deliver } from '../connectors/discord/deliver.ts';", 'discord'],
  ])('are found in: %s', (source, name) => {
    expect(findNames('core/planted.ts', source)).toContain(`core/planted.ts:1 ${name}`);
  });

  test.each([
    "const row = await query.where('email', '=', address);",
    "const customer = { email, name: 'Ann' };",
    "export const intercom = { kind: 'intercom', title: 'Help centre' };",
    "const pages = ['api', 'channels', 'widget'];",
    "const text = 'Connects a platform such as telegram.';",
  ])('are not found in: %s', (source) => {
    expect(findNames('core/planted.ts', source)).toEqual([]);
  });
});

function isException(file: string): boolean {
  return Object.keys(exceptions).some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path));
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Each place in a file that names a channel, as `file:line name`. */
function findNames(file: string, text: string): readonly string[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    for (const name of namesIn(file, node)) {
      if (ambiguous.has(name) && !node.getText().startsWith("'.") && !isOfChannel(node)) continue;
      found.push(`${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The channels that a node names: a string, a word in quotes of SQL, the key of an object, or the folder of an import. */
function namesIn(file: string, node: ts.Node): readonly string[] {
  if (ts.isStringLiteral(node) && node.text.startsWith('.')) return importedBy(file, node.text);
  if (ts.isStringLiteral(node)) return channels.has(node.text) ? [node.text] : [];
  if (ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node)) return quotedIn(node.text);
  if (ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) return quotedIn(node.text);
  const isKey = ts.isPropertyAssignment(node) || ts.isPropertySignature(node);
  if (!isKey || !ts.isIdentifier(node.name)) return [];
  const name = node.name.text;
  return channels.has(name) && !ambiguous.has(name) ? [name] : [];
}

/** The channel whose folder an address leads to. */
function importedBy(file: string, address: string): readonly string[] {
  const path = relative(root, resolve(root, dirname(file), address));
  const folders = path.startsWith('connectors/') ? dirname(path).split('/') : [];
  return folders.filter((folder) => channels.has(folder));
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/'(\w+)'/g)].flatMap(([, word = '']) => (channels.has(word) ? [word] : []));
}

/** Whether a word of several meanings means the channel here: beside another channel, or compared with one. */
function isOfChannel(node: ts.Node): boolean {
  if (ts.isTemplateLiteralToken(node)) return /\bchannel(?:\.channel)? (?:=|<>|in)/.test(node.text);
  const around = ts.isTypeNode(node.parent) ? node.parent.parent : node.parent;
  const text = around.getText();
  return (
    /\bchannel\b|Channel\b/.test(text) ||
    [...text.matchAll(/'(\w+)'/g)].some(([, word = '']) => isPlain(word))
  );
}

function isPlain(word: string): boolean {
  return channels.has(word) && !ambiguous.has(word);
}
