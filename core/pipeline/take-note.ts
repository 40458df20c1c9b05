import type { Transaction } from 'kysely';
import type { InboundEvent } from '../contract/inbound-event.ts';
import type { Logger } from '../log.ts';
import type { Tables } from '../storage/tables.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import { type HeldLane, requireHeld } from './hold-lane.ts';
import { markHandled } from './mark-handled.ts';
import { moveLane } from './move-lane.ts';
import { noteAskedFor } from './notes/note-asked-for.ts';
import { noteCollectionOver } from './notes/note-collection-over.ts';
import { noteDelivery } from './notes/note-delivery.ts';
import { noteEdit } from './notes/note-edit.ts';
import { noteFeedback } from './notes/note-feedback.ts';
import { notePerson } from './notes/note-person.ts';
import { noteReachable } from './notes/note-reachable.ts';
import { noteRelated } from './notes/note-related.ts';
import { noteStatus } from './notes/note-status.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { welcome } from './welcome.ts';

type Noted = Exclude<InboundEvent, { type: 'message' }>;

interface Told {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly numbers: readonly string[];
  readonly event: Noted;
}

type Dependencies = Pick<
  PipelineDependencies,
  'channelAccounts' | 'clock' | 'connectorCalls' | 'database' | 'log' | 'wakeDeliveries'
>;

/** Keeps what happened on the platform that is no question. */
export async function takeNote(dependencies: Dependencies, told: Told): Promise<void> {
  const { database, clock, log, wakeDeliveries, channelAccounts } = dependencies;
  const { held, open, numbers, event } = told;
  if (event.type === 'account-lost') {
    await channelAccounts.setStatus(open.account.id, 'error', event.because);
  }
  await tellingTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    await requireHeld(transaction, held);
    const now = clock.now();
    await write(transaction, { ...told, now, log });
    await markHandled(transaction, { channelId: held.channelId, numbers, now });
  });
  if (event.type === 'opened') welcome(dependencies, open, event.conversation);
}

async function write(
  transaction: Transaction<Tables>,
  { held: key, open, event, now, log }: Told & { readonly now: Date; readonly log: Logger },
): Promise<void> {
  const { channelId } = key;
  switch (event.type) {
    case 'moved':
      return moveLane(transaction, { channelId, from: event.from, to: event.to });
    case 'reachable':
      return noteReachable(transaction, { channelId, event });
    case 'delivery-reported':
      return noteDelivery(transaction, { channelId, event });
    case 'message-edited':
    case 'message-deleted':
      return noteEdit(transaction, { key, workspaceId: open.workspaceId, event, now });
    case 'person-replied':
      return notePerson(transaction, { key, open, event, now });
    case 'status-changed':
      return noteStatus(transaction, { key, open, event, now });
    case 'related':
      return noteRelated(transaction, { key, workspaceId: open.workspaceId, event, now });
    case 'feedback':
      return noteFeedback(transaction, { channelId, event, now, log });
    case 'asked-for':
      return noteAskedFor(transaction, { channelId, event, now });
    case 'collection-over':
      return noteCollectionOver(transaction, { channelId, event });
    case 'opened':
    case 'account-lost':
    case 'unsupported':
      return;
  }
}
