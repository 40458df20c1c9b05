import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { freePort } from '../network/free-port.ts';
import { quietTools } from '../processes/run-tool.ts';

const prism = resolve(import.meta.dirname, '../../../../node_modules/@stoplight/prism-cli/dist/index.js');

/**
 * Starts Prism as a proxy of the server at `upstream`: it passes everything on unchanged, and lists in the header
 * `sl-violations` of an answer where the request or the answer breaks the description. Returns its address.
 */
export async function startPrism(description: string, upstream: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-prism-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, description);
  const port = await freePort();
  const args = ['proxy', file, upstream, '--port', String(port), '--host', '127.0.0.1'];
  const child = spawn(process.execPath, [prism, ...args], {
    env: quietTools,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  afterAll(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await new Promise<void>((ready, failed) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        said += part;
        if (said.includes('Prism is listening')) ready();
      });
    }
    child.once('exit', () => failed(new TypeError(`Prism ended at its start: ${said}`)));
  });
  return `http://127.0.0.1:${port}`;
}
