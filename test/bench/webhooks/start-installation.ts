import { resolve } from 'node:path';
import { type ManagedProcess, startProcess } from '../http/managed-process.ts';

const main = resolve(import.meta.dirname, '../../../main.ts');
export const adminToken = 'a-token-for-the-benchmark';

interface Installation {
  readonly address: string;
  readonly environment: Readonly<Record<string, string>>;
  /** False pins it to one core, so that the product and not the machine is measured. */
  readonly onAllCores: boolean;
}

/** The product as `npm start` runs it, ready for requests. */
export function startInstallation({
  address,
  environment,
  onAllCores,
}: Installation): Promise<ManagedProcess> {
  return startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', main, 'server', 'workers'],
    environment: {
      ...{ ADMIN_TOKEN: adminToken, ALLOW_PRIVATE_CHANNELS: 'true', LOG_LEVEL: 'error' },
      ...{ PORT: new URL(address).port, PUBLIC_URL: address, DRAIN_SECONDS: '0', ...environment },
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    ready: /listens on http/,
    ...(!onAllCores && { core: 0 }),
  });
}
