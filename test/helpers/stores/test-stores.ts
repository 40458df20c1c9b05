import type { Clock } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { Admission } from '../../../core/limits/admission.ts';
import { MessageQuota } from '../../../core/limits/quota.ts';
import { SecretBox } from '../../../core/secrets/secret-box.ts';
import type { Database } from '../../../core/storage/database.ts';
import { ProcessRegistry } from '../../../core/storage/process-registry.ts';
import { ApiKeys } from '../../../core/workspaces/keys/api-keys.ts';
import { Workspaces } from '../../../core/workspaces/workspaces.ts';

/** The stores of workspaces and keys, on one database and one clock. */
export function testStores({ kysely: database }: Database, clock: Clock) {
  const log = createLog('silent');
  const processes = () => new ProcessRegistry({ database, clock, log, alone: false });
  return {
    workspaces: new Workspaces({ database, clock, secretBox: new SecretBox(Buffer.alloc(32)) }),
    apiKeys: new ApiKeys({ database, clock }),
    quota: new MessageQuota({ database, clock }),
    /** A further process at the same database. */
    async join() {
      const one = processes();
      await one.open();
      return { processes: one, admission: new Admission({ database, clock, log, processId: one.id }) };
    },
  };
}
