import { type Kysely, sql, type Transaction } from 'kysely';
import { auditWorkspace } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import { operatorActor } from '../contract/actor.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type Rotated, type Rotation, rotateSigningSecret } from '../secrets/secret-rotation.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import { type Deletion, deleteRow, restoreRow } from '../storage/restorable.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ScheduleDeliveries } from './event-transaction.ts';
import { newSigningSecret } from './sign-webhook.ts';
import {
  type DeliveryRecord,
  deliveryFromRow,
  everyEvent,
  testEvent,
  type WebhookEvent,
  type WebhookRecord,
  webhookFromRow,
} from './webhook-record.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly (WebhookEvent | typeof everyEvent)[];
}

/** Manages the webhooks of a workspace and their deliveries. */
export class Webhooks {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Creates a webhook. The secret is only returned here. */
  async create(
    workspaceId: string,
    { url, events }: NewWebhook,
    actor = operatorActor,
  ): Promise<{ webhook: WebhookRecord; secret: string }> {
    const { database, clock, secretBox } = this.#dependencies;
    const secret = newSigningSecret();
    const id = newId('hook');
    const at = clock.now();
    const row = await database.transaction().execute(async (transaction) => {
      const inserted = await transaction
        .insertInto('webhook')
        .values({
          id,
          workspace_id: workspaceId,
          url,
          events: events.includes(everyEvent) ? [everyEvent] : [...new Set(events)],
          secret_encrypted: secretBox.seal(secret, { table: 'webhook', column: 'secret_encrypted', id }),
          created_at: at,
          disabled_at: null,
          disabled_reason: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditWorkspace(transaction, {
        workspaceId,
        actor,
        at,
        action: 'webhook_created',
        details: { id, url },
      });
      return inserted;
    });
    return { webhook: webhookFromRow(row), secret };
  }

  /** Returns webhooks, newest first. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest): Promise<Page<WebhookRecord>> {
    const query = this.#dependencies.database
      .selectFrom('webhook')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('restorable_until', 'is', null);
    const order = { list: `webhooks ${workspaceId}`, latest: 'created_at' } as const;
    const { items, nextCursor } = await keysetPage(query, order, page);
    return { items: items.map(webhookFromRow), nextCursor };
  }

  /**
   * Deletes a webhook with its deliveries. Nothing is stored for it or sent to it while it can be restored. Throws
   * `webhook_not_found`.
   */
  async delete(
    workspaceId: string,
    id: string,
    { actor = operatorActor, restorableMs = 0 }: Deletion = {},
  ): Promise<void> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    await database.transaction().execute(async (transaction) => {
      const deleted = await deleteRow(transaction, { table: 'webhook', workspaceId, id, at }, restorableMs);
      if (deleted === null) throw new AppError('webhook_not_found');
      const entry = { workspaceId, actor, at, details: { id, url: deleted } };
      await auditWorkspace(transaction, { ...entry, action: 'webhook_deleted' });
    });
  }

  /** Takes back a deletion, with the secrets and deliveries. Throws `webhook_not_found`. */
  async restore(workspaceId: string, id: string, actor = operatorActor): Promise<WebhookRecord> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    return database.transaction().execute(async (transaction) => {
      const isRestored = await restoreRow(transaction, { table: 'webhook', workspaceId, id, at });
      if (!isRestored) throw new AppError('webhook_not_found');
      const webhook = await this.#find(transaction, workspaceId, id);
      const entry = { workspaceId, actor, at, details: { id, url: webhook.url } };
      await auditWorkspace(transaction, { ...entry, action: 'webhook_restored' });
      return webhook;
    });
  }

  /**
   * Replaces the secret. Deliveries are signed with both secrets until the grace period ends. Throws
   * `webhook_not_found`.
   */
  async rotateSecret(workspaceId: string, id: string, { graceSeconds, actor }: Rotation): Promise<Rotated> {
    const { database, clock, secretBox } = this.#dependencies;
    const rotated = await rotateSigningSecret({
      database,
      secretBox,
      table: 'webhook',
      workspaceId,
      id,
      secret: newSigningSecret(),
      graceSeconds,
      actor,
      now: clock.now(),
    });
    if (rotated === null) throw new AppError('webhook_not_found');
    return rotated;
  }

  /** Throws `webhook_not_found`. */
  async setEnabled(
    workspaceId: string,
    id: string,
    enabled: boolean,
    actor = operatorActor,
  ): Promise<WebhookRecord> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    return database.transaction().execute(async (transaction) => {
      if (enabled) {
        await transaction
          .updateTable('webhook')
          .set({ disabled_at: null, disabled_reason: null })
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('restorable_until', 'is', null)
          .execute();
      } else {
        const reason =
          actor === operatorActor
            ? 'The operator disabled the webhook.'
            : `${actor.name} disabled the webhook.`;
        await disableWebhook(transaction, { workspaceId, id }, { reason, at });
      }
      const webhook = await this.#find(transaction, workspaceId, id);
      const details = { id, url: webhook.url, fields: ['enabled'] };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'webhook_changed', details });
      return webhook;
    });
  }

  /** Returns deliveries, newest first. Throws `webhook_not_found` and `invalid_cursor`. */
  async deliveries(workspaceId: string, id: string, page: PageRequest): Promise<Page<DeliveryRecord>> {
    const { database } = this.#dependencies;
    await this.#find(database, workspaceId, id);
    const query = database
      .selectFrom('webhook_delivery')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('webhook_id', '=', id);
    const order = { list: `deliveries ${workspaceId} ${id}`, latest: 'created_at' } as const;
    const { items, nextCursor } = await keysetPage(query, order, page);
    return { items: items.map(deliveryFromRow), nextCursor };
  }

  /**
   * Sends a delivery again immediately, as if it were new, whatever its status. Throws `webhook_not_found`,
   * `webhook_disabled` and `delivery_not_found`.
   */
  async replay(workspaceId: string, id: string, deliveryId: string): Promise<DeliveryRecord> {
    const { database, clock, scheduleDeliveries } = this.#dependencies;
    const webhook = await this.#find(database, workspaceId, id);
    if (webhook.disabled !== null) throw new AppError('webhook_disabled');
    const row = await database
      .updateTable('webhook_delivery')
      .set({
        status: 'pending',
        attempts: 0,
        queued_at: clock.now(),
        next_attempt_at: null,
        last_status: null,
        last_error: null,
        delivered_at: null,
      })
      .where('workspace_id', '=', workspaceId)
      .where('webhook_id', '=', id)
      .where('id', '=', deliveryId)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('delivery_not_found');
    scheduleDeliveries?.([deliveryId]);
    return deliveryFromRow(row);
  }

  /** Sends the event `webhook.test` to one webhook, whatever its events. Throws `webhook_not_found` and `webhook_disabled`. */
  async test(workspaceId: string, id: string, actor = operatorActor): Promise<DeliveryRecord> {
    const { database, clock, scheduleDeliveries } = this.#dependencies;
    const at = clock.now();
    const delivery = await database.transaction().execute(async (transaction) => {
      const webhook = await this.#find(transaction, workspaceId, id);
      if (webhook.disabled !== null) throw new AppError('webhook_disabled');
      await auditWorkspace(transaction, {
        workspaceId,
        actor,
        at,
        action: 'webhook_tested',
        details: { id, url: webhook.url },
      });
      return transaction
        .insertInto('webhook_delivery')
        .values({
          id: newId('evt'),
          webhook_id: id,
          workspace_id: workspaceId,
          event: testEvent,
          data: JSON.stringify({ webhook_id: id, requested_by: actor }),
          status: 'pending',
          attempts: 0,
          created_at: at,
          queued_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    scheduleDeliveries?.([delivery.id]);
    return deliveryFromRow(delivery);
  }

  async #find(database: Kysely<Tables>, workspaceId: string, id: string): Promise<WebhookRecord> {
    const row = await database
      .selectFrom('webhook')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('restorable_until', 'is', null)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('webhook_not_found');
    return webhookFromRow(row);
  }
}

interface WebhookKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** Disables a webhook and fails its pending deliveries. Returns false if it was already disabled. */
export async function disableWebhook(
  transaction: Transaction<Tables>,
  { workspaceId, id }: WebhookKey,
  { reason, at }: { readonly reason: string; readonly at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('webhook')
    .set({ disabled_at: at, disabled_reason: reason })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await transaction
    .updateTable('webhook_delivery')
    .set({
      status: 'failed',
      next_attempt_at: null,
      last_error: sql<string>`coalesce(last_error, 'The webhook was disabled.')`,
    })
    .where('webhook_id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'pending')
    .execute();
  return true;
}
