import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BenchError } from '../bench-error.ts';

const packages = [
  'chat@4.41.0',
  '@chat-adapter/slack@4.41.0',
  '@chat-adapter/telegram@4.41.0',
  '@chat-adapter/state-memory@4.41.0',
];

/**
 * Installs Vercel's Chat SDK in a folder of its own, because the product does not use it. Returns the folder of its
 * packages.
 */
export async function installChatSdk(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--prefix', folder];
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: folder }).catch((error) => {
    throw new BenchError(`the Chat SDK could not be installed: ${String(error)}`);
  });
  return join(folder, 'node_modules');
}
