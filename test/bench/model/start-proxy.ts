import { fileURLToPath } from 'node:url';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { startProcess } from '../http/managed-process.ts';
import { policyQuestion } from '../http/policies.ts';
import type { StreamTarget } from './stream-target.ts';

const script = fileURLToPath(new URL('./plain-proxy.ts', import.meta.url));

export async function startProxy(providerAddress: string): Promise<StreamTarget> {
  const port = await freePort();
  const proxy = await startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', script, `${port}`, providerAddress],
    ready: /ready/,
    core: 0,
  });
  return {
    name: 'plain proxy',
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'paced',
      stream: true,
      messages: [{ role: 'user', content: `<question>\n${policyQuestion}\n</question>` }],
    }),
    stop: () => proxy.stop(),
  };
}
