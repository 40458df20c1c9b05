import { ReportKeys } from '../../../core/insights/report/report-keys.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { TypedApp } from '../../typed-app.ts';

/** Registers the public key that the monthly files of this installation are signed with. */
export function getReportKey(
  app: TypedApp,
  { database, clock, installation }: Pick<Runtime, 'database' | 'clock' | 'installation'>,
): void {
  const { secretBox } = installation;
  const keys = new ReportKeys({ database: database.kysely, secretBox, clock });
  app.get('/.well-known/parley-report-key.json', { schema: { hide: true } }, async (_request, reply) => {
    const key = { algorithm: 'Ed25519', public_key: await keys.publicKey() };
    return reply.header('cache-control', 'public, max-age=3600').send(key);
  });
}
