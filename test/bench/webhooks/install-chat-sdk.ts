import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const packages = ['chat', '@chat-adapter/slack', '@chat-adapter/telegram', '@chat-adapter/state-memory'];
const version = '4.41.1';

/** Vercel's Chat SDK in a folder of its own: the product has no use for it. Where its packages are. */
export async function installChatSdk(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const wanted = packages.map((name) => `${name}@${version}`);
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...wanted], {
    cwd: folder,
  });
  return join(folder, 'node_modules');
}
