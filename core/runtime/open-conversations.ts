import { type Models, openModels } from '../answering/open-models.ts';
import { HttpSkills } from '../answering/skills/http/http-skills.ts';
import { AgentPresence } from '../conversations/agent-presence.ts';
import { Conversations } from '../conversations/conversations.ts';
import { Inbox } from '../conversations/inbox/inbox.ts';
import { createSummaryScheduler } from '../conversations/summary-schedule.ts';
import { VisitorRateLimit } from '../limits/visitor-rate.ts';
import { type LiveServices, openLive } from '../live/presence.ts';
import { Challenges } from '../visitors/challenges.ts';
import { Visitors } from '../visitors/visitors.ts';
import { type StorageServices, sealedStores } from './open-storage.ts';
import type { WorkspaceServices } from './open-workspaces.ts';
import type { Opening } from './opening.ts';

/** Conversations, the models and skills that answer in them, and the visitors and agents who take part. */
export interface ConversationServices extends Models, LiveServices {
  readonly agentPresence: AgentPresence;
  readonly conversations: Conversations;
  readonly inbox: Inbox;
  readonly httpSkills: HttpSkills;
  readonly visitors: Visitors;
  readonly visitorRate: VisitorRateLimit;
  readonly challenges: Challenges;
}

export async function openConversations(
  opening: Opening,
  storage: StorageServices,
  { scheduleDeliveries, modelKeys }: Pick<WorkspaceServices, 'scheduleDeliveries' | 'modelKeys'>,
): Promise<ConversationServices> {
  const { config, log, clock, wait, count, onClose } = opening;
  const { queue, installation, processes } = storage;
  const sealed = sealedStores(opening, storage);
  const models = await openModels({
    ...{ config, log, clock, count },
    findKeys: (ownerId) => modelKeys.of(ownerId),
  });
  const wakeSummary = models.complete === null ? undefined : createSummaryScheduler(queue, log);
  const { close: closeLive, ...live } = openLive({
    ...{ database: storage.database, clock, wait, log },
    processId: processes.id,
  });
  onClose(closeLive);
  return {
    ...models,
    ...live,
    agentPresence: new AgentPresence({ database: storage.database.kysely, clock }),
    conversations: new Conversations({ ...sealed, scheduleDeliveries, wakeSummary }),
    inbox: new Inbox({ ...sealed, scheduleDeliveries }),
    httpSkills: new HttpSkills({ ...sealed, log, allowPrivate: config.ALLOW_PRIVATE_WEBHOOKS }),
    visitors: new Visitors(sealed),
    visitorRate: new VisitorRateLimit(sealed),
    challenges: new Challenges({ ...sealed, key: installation.secretBox.derive('visitor challenge') }),
  };
}
