import type { Clock } from '../../../core/clock.ts';
import { Admission } from '../../../core/limits/admission.ts';
import { MessageQuota } from '../../../core/limits/quota.ts';
import { createLog } from '../../../core/log.ts';
import { ProcessRegistry } from '../../../core/process/process-registry.ts';
import type { Database } from '../../../core/storage/database.ts';
import { ApiKeys } from '../../../core/workspaces/api-keys.ts';
import { SecretBox } from '../../../core/workspaces/secret-box.ts';
import { Workspaces } from '../../../core/workspaces/workspaces.ts';

/** What keeps workspaces and keys, on one database and one clock. */
export function testStores({ kysely: database }: Database, clock: Clock) {
  const log = createLog('silent');
  const processes = () => new ProcessRegistry({ database, log, alone: false });
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
