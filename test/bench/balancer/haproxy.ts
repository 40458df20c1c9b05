import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../http/managed-process.ts';

export interface LoadBalancer {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * HAProxy before servers on these ports, as operators set it up: it asks each for its readiness every second and
 * takes it out after two failures. Null if HAProxy is not installed.
 */
export async function startBalancer(
  folder: string,
  { port, servers }: { readonly port: number; readonly servers: readonly number[] },
): Promise<LoadBalancer | null> {
  if (spawnSync('haproxy', ['-v']).error !== undefined) return null;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, servers));
  const balancer = await startProcess({ program: 'haproxy', args: ['-db', '-f', file] });
  return { address: `http://127.0.0.1:${port}`, stop: () => balancer.stop() };
}

function configuration(port: number, servers: readonly number[]): string {
  const lines = servers.map((server, index) => `  server s${index + 1} 127.0.0.1:${server}`);
  return `defaults
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  option redispatch

frontend front
  bind 127.0.0.1:${port}
  default_backend parley

backend parley
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 1s fall 2 rise 1
${lines.join('\n')}
`;
}
