import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { lockDataFolder, readHolder } from '../../../../core/storage/embedded/data-folder-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lockModule = new URL('../../../../core/storage/embedded/data-folder-lock.ts', import.meta.url).href;

/** Another process that locks the folder until it is killed. */
async function otherHolder(path: string) {
  const script = `
    const { lockDataFolder } = await import(${JSON.stringify(lockModule)});
    lockDataFolder(${JSON.stringify(path)}, process.pid).announce('http://127.0.0.1:4242');
    process.stdout.write('held');
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('lockDataFolder', () => {
  test('rejects a second process with one line that names the first', async () => {
    const holder = await otherHolder(folder);
    expect(() => lockDataFolder(folder, process.pid)).toThrow(
      `Process ${holder.pid} is using DATA_DIR ${folder}. Stop it first, or set DATA_DIR to another folder for this process.`,
    );
    expect(readHolder(folder)).toEqual({ pid: holder.pid, address: 'http://127.0.0.1:4242' });
    const gone = once(holder, 'exit');
    holder.kill('SIGKILL');
    await gone;
  });

  test('takes over the folder of a killed process at once', async () => {
    const holder = await otherHolder(folder);
    const gone = once(holder, 'exit');
    holder.kill('SIGKILL');
    await gone;
    const lock = lockDataFolder(folder, process.pid);
    expect(readHolder(folder)?.pid).toBe(process.pid);
    lock.release();
  });

  test('can lock a released folder again', () => {
    lockDataFolder(folder, 1).release();
    lockDataFolder(folder, 2).release();
  });

  test('reports a file in place of the folder', () => {
    const path = join(folder, 'a-file');
    writeFileSync(path, '');
    expect(() => lockDataFolder(path, 1)).toThrow(/the path is a file\. Set DATA_DIR to a folder/);
    expect(() => lockDataFolder(join(path, 'below'), 1)).toThrow(/a part of the path is a file/);
  });

  test.skipIf(process.getuid?.() === 0)('reports a folder without write permission', () => {
    const path = mkdtempSync(join(folder, 'read-only-'));
    chmodSync(path, 0o500);
    expect(() => lockDataFolder(path, 1)).toThrow(/this user has no write permission/);
  });
});
