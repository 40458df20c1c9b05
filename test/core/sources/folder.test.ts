import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../core/contract/account.ts';
import { folderKind } from '../../../core/sources/folder/folder.ts';
import { noPageMemory } from '../../../core/sources/page-memory.ts';
import type { ListedItem, SkippedItem } from '../../../core/sources/source-reader.ts';
import { openTools } from '../../../core/sources/source-tools.ts';
import { lentThreads } from '../../helpers/platforms/connector-tools.ts';
import { listSource } from '../../helpers/sources/read-source.ts';

const base = mkdtempSync(join(tmpdir(), 'parley-folder-'));
afterAll(() => rmSync(base, { recursive: true }));

function write(path: string, text = path): string {
  const file = join(base, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function tools() {
  const signal = new AbortController().signal;
  const clock = { now: () => new Date() };
  return openTools(
    { clock, threads: lentThreads, allowPrivate: false },
    { workspaceId: 'wt_test', include: [], exclude: [], memory: noPageMemory, signal },
  );
}

function open(path: string, allowed = [join(base, 'allowed')]) {
  return folderKind(allowed).open({ settings: { path: join(base, path) }, credentials: {} }, tools());
}

async function list(path: string) {
  const reader = open(path);
  const items: ListedItem[] = [];
  const leftOut: SkippedItem[] = [];
  let cursor: Json | null = null;
  do {
    const page = await reader.list(cursor);
    items.push(...page.items);
    leftOut.push(...(page.leftOut ?? []));
    cursor = page.next;
  } while (cursor !== null);
  return { items, leftOut };
}

const keys = async (path: string) => (await list(path)).items.map(({ key }) => key);

const outside = write('outside/secret.md', 'secret');
write('allowed/site/a.md');
write('allowed/site/b/c.html');
write('allowed/site/b/d/e.txt');
write('allowed/site/.hidden/f.md');
write('allowed/site/.env');
write('allowed/site/~$notes.docx');
write('allowed/site/node_modules/g.md');
write('allowed/site/picture.xyz');
symlinkSync(outside, join(base, 'allowed/site/link.md'));
symlinkSync(join(base, 'outside'), join(base, 'allowed/site/away'));

describe('a folder', () => {
  test('is listed with its sub-folders, without hidden files, and links are left out with a reason', async () => {
    const { items, leftOut } = await list('allowed/site');
    expect(items.map(({ key }) => key)).toEqual(['a.md', 'b/c.html', 'b/d/e.txt']);
    expect(leftOut.map(({ key, code }) => [key, code])).toEqual([
      ['away', 'symbolic_link'],
      ['link.md', 'symbolic_link'],
      ['picture.xyz', 'unknown_format'],
    ]);
  });

  test('gives a file another version when its time or size changes', async () => {
    const file = write('allowed/versions/a.md', 'one');
    const version = async () => (await list('allowed/versions')).items[0]?.version;
    const first = await version();
    expect(await version()).toBe(first);
    writeFileSync(file, 'longer');
    const second = await version();
    utimesSync(file, new Date(), new Date('2020-01-01'));
    expect(new Set([first, second, await version()]).size).toBe(3);
  });

  test('reads a file, and tells when it is gone', async () => {
    const reader = open('allowed/site');
    const read = await reader.read({ key: 'b/c.html', validators: null });
    expect(read).toMatchObject({ kind: 'content', fileName: 'c.html' });
    expect(await reader.read({ key: 'b/none.html', validators: null })).toEqual({ kind: 'gone' });
  });

  test.each(['../../outside/secret.md', 'link.md', 'away/secret.md', '../../../../../../etc/passwd'])(
    'does not read %s outside of it',
    async (key) => {
      const result = await open('allowed/site').read({ key, validators: null });
      expect(['skipped', 'gone']).toContain(result.kind);
    },
  );

  test('fails a file that is too large', async () => {
    truncateSync(write('allowed/large/a.txt'), 26 * 2 ** 20);
    await expect(open('allowed/large').read({ key: 'a.txt', validators: null })).rejects.toMatchObject({
      code: 'too_large',
    });
  });

  test('is refused outside of the allowed folders, in the same words whether it exists or not', async () => {
    symlinkSync(join(base, 'outside'), join(base, 'allowed/escape'));
    const refusals = await Promise.all(
      ['outside', 'nowhere', 'allowed/escape', 'allowed/../outside', 'allowedly'].map((path) =>
        open(path)
          .list(null)
          .catch((error: Error) => error.message),
      ),
    );
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain('SOURCE_FOLDERS');
  });

  test('that is missing is an error, and not an empty list', async () => {
    await expect(open('allowed/none').list(null)).rejects.toMatchObject({ code: 'folder_missing' });
  });

  test('has files whose names are no UTF-8, and one that is really named so comes first', async () => {
    const folder = Buffer.from(join(base, 'allowed/bytes/'));
    write('allowed/bytes/b%FC.md', 'written so');
    writeFileSync(Buffer.concat([folder, Buffer.from('gr\xfcn.md', 'latin1')]), 'green');
    mkdirSync(Buffer.concat([folder, Buffer.from('\xe4', 'latin1')]));
    writeFileSync(Buffer.concat([folder, Buffer.from('\xe4/x.md', 'latin1')]), 'inside');
    expect(await keys('allowed/bytes')).toEqual(['b%FC.md', 'gr%FCn.md', '%E4/x.md']);
    const reader = open('allowed/bytes');
    for (const [key, text] of [
      ['gr%FCn.md', 'green'],
      ['%E4/x.md', 'inside'],
      ['b%FC.md', 'written so'],
    ] as const) {
      const result = await reader.read({ key, validators: null });
      expect(result.kind === 'content' && Buffer.from(result.bytes).toString(), key).toBe(text);
    }
  });

  test('goes on without a folder inside that cannot be read, and nothing of it counts as missing', async () => {
    write('allowed/partly/a.md');
    write('allowed/partly/locked/b.md');
    write('allowed/partly/open/c.md');
    const refuse = async (path: string | Buffer) => {
      if (path.toString().endsWith('locked')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      return readdirSync(path, { withFileTypes: true, encoding: 'buffer' });
    };
    const allowed = [join(base, 'allowed')];
    const kind = folderKind(allowed, async () => allowed, refuse);
    const { items, leftOut, isCut } = await listSource(
      kind.open({ settings: { path: join(base, 'allowed/partly') }, credentials: {} }, tools()),
    );
    expect(items.map(({ key }) => key)).toEqual(['a.md', 'open/c.md']);
    expect(leftOut).toMatchObject([{ key: 'locked', code: 'folder_unreadable' }]);
    expect(isCut).toBe(true);
  });

  test('is not offered if no folder is allowed', async () => {
    expect(folderKind([]).unavailable).toContain('SOURCE_FOLDERS');
    await expect(open('allowed/site', []).list(null)).rejects.toMatchObject({ code: 'folder_refused' });
  });

  test('may be an allowed folder itself', async () => {
    write('whole/a.md');
    const reader = open('whole', [join(base, 'whole')]);
    expect((await reader.list(null)).items.map(({ key }) => key)).toEqual(['a.md']);
    expect(await keys('allowed/site')).toHaveLength(3);
  });
});
