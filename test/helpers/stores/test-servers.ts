import { openTestServer } from '../servers/open-test-server.ts';
import { createDatabase } from './databases/test-databases.ts';

type ServerOptions = NonNullable<Parameters<typeof openTestServer>[0]>;

/**
 * Two servers at one database, as two processes would be. The embedded engine serves one process: there both are the
 * same server.
 */
export async function openTestServers(
  engine: 'embedded' | 'postgres',
  options: Omit<ServerOptions, 'runtime'> = {},
) {
  if (engine === 'embedded') {
    const server = await openTestServer(options);
    return [server, server] as const;
  }
  const runtime = {
    environment: { DATABASE_URL: await createDatabase(), ENCRYPTION_KEY: '0123456789abcdef'.repeat(4) },
  };
  return [
    await openTestServer({ ...options, runtime }),
    await openTestServer({ ...options, runtime }),
  ] as const;
}
