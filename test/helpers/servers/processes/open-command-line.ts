import { openTestServer } from '../open-test-server.ts';
import { doParley } from './do-parley.ts';

/** A server that listens, and the command line that works on it. */
export async function openCommandLine() {
  const server = await openTestServer();
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { config, installation } = server.runtime;
  const environment = { DATA_DIR: config.DATA_DIR, ADMIN_TOKEN: installation.adminToken };
  return {
    server,
    address,
    run: (...args: string[]) => doParley(['--server', address, ...args], environment),
  };
}
