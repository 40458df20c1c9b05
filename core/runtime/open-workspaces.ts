import { type Mailer, openMailer } from '../channels/mailer.ts';
import { Admission } from '../limits/admission.ts';
import { GuessLimit } from '../limits/guess-limit.ts';
import { IdempotentRequests } from '../limits/idempotent-requests.ts';
import { KeyOutcomes } from '../limits/key-outcomes.ts';
import { PublicRateLimit } from '../limits/public-rate.ts';
import { MessageQuota } from '../limits/quota.ts';
import { type ResolveTxt, resolveTxt } from '../members/identity/domain-proofs.ts';
import { Members } from '../members/members.ts';
import { ModelKeys } from '../members/model-keys.ts';
import { SignIn } from '../members/sign-in.ts';
import { createDeliveryScheduler, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { ApiKeys } from '../workspaces/keys/api-keys.ts';
import { Workspaces } from '../workspaces/workspaces.ts';
import { type StorageServices, sealedStores } from './open-storage.ts';
import type { Opening } from './opening.ts';

/** Workspaces, their credentials, limits and webhooks, and the people who sign in to the dashboard. */
export interface WorkspaceServices {
  readonly workspaces: Workspaces;
  readonly apiKeys: ApiKeys;
  readonly admission: Admission;
  readonly keyOutcomes: KeyOutcomes;
  /** Counts failed credentials. Check it before looking a credential up. */
  readonly guesses: GuessLimit;
  readonly quota: MessageQuota;
  readonly idempotentRequests: IdempotentRequests;
  readonly publicRate: PublicRateLimit;
  readonly webhooks: Webhooks;
  readonly scheduleDeliveries: ScheduleDeliveries;
  readonly members: Members;
  readonly signIn: SignIn;
  /** Keys of providers of language models that owners brought. */
  readonly modelKeys: ModelKeys;
  readonly mailer: Mailer | null;
}

export function openWorkspaces(
  opening: Opening,
  storage: StorageServices,
  dns: { readonly resolveTxt?: ResolveTxt },
): WorkspaceServices {
  const { config, log, clock, metrics, isNews, onClose } = opening;
  const sealed = sealedStores(opening, storage);
  const processId = storage.processes.id;
  const admission = new Admission({ ...sealed, log, processId });
  const keyOutcomes = new KeyOutcomes({ ...sealed, log });
  onClose(() => admission.close());
  onClose(() => keyOutcomes.close());
  const scheduleDeliveries = createDeliveryScheduler(storage.queue, log);
  return {
    workspaces: new Workspaces(sealed),
    apiKeys: new ApiKeys(sealed),
    ...{ admission, keyOutcomes, scheduleDeliveries },
    guesses: new GuessLimit({ clock, log, count: (kind) => metrics.authFailed(kind) }),
    quota: new MessageQuota(sealed),
    idempotentRequests: new IdempotentRequests({ ...sealed, processId }),
    publicRate: new PublicRateLimit(sealed),
    webhooks: new Webhooks({ ...sealed, scheduleDeliveries }),
    members: new Members(sealed),
    signIn: new SignIn({ ...sealed, log, resolveTxt: dns.resolveTxt ?? resolveTxt }),
    modelKeys: new ModelKeys({ ...sealed, log, isNews }),
    mailer: openMailer(config, log),
  };
}
