import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { auditWorkspace } from '../../audit/audit-log.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { toFields } from '../../base/fields.ts';
import type { Logger } from '../../base/log.ts';
import type { Actor } from '../../contract/actor.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { SealedPlace, SecretBox } from '../../secrets/secret-box.ts';
import { batchRows, type TaskContext } from '../../storage/maintenance-task.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { SourceNotices } from '../notices/source-notices.ts';
import { insertRun, wakeRun } from '../runs/run-queue.ts';
import { lockSource, requireSource } from '../source-rows.ts';
import type { HookCall, SourceHook } from './source-hook.ts';
import { findHook } from './tool-hooks.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly secretBox: SecretBox;
  readonly notices: SourceNotices;
}

interface HookTarget {
  readonly workspaceId: string;
  readonly id: string;
  readonly actor: Actor;
}

/**
 * `off`: not set up. `waiting`: for the secret, which a person or the tool gives. `received`: the tool has sent it, and
 * nobody has seen it yet. `on`: calls are believed.
 */
export const hookStates = ['off', 'waiting', 'received', 'on'] as const;

export interface HookView {
  readonly state: (typeof hookStates)[number];
  readonly secretFrom: SourceHook['secretFrom'];
  readonly since: Date | null;
  readonly calledAt: Date | null;
  /** Only in the answer that makes it or shows it once. */
  readonly secret: string | null;
}

type SourceRow = Selectable<Tables['source']>;

/** As long as a person takes who sets it up: meanwhile, the first caller gives the secret, and it is shown to the person. */
const WAITING_MS = 3_600_000;
const REMEMBERED_MS = 3 * 24 * 3_600_000;

/** The webhooks by which tools tell that items of a source have changed. */
export class SourceHooks {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws `source_not_found` and `source_hook_unavailable`. */
  async get(workspaceId: string, id: string): Promise<HookView> {
    const row = await requireSource(this.#dependencies.database, { workspaceId, id });
    return this.#view(row, requireHook(row.kind));
  }

  /**
   * Sets the webhook up anew: an earlier secret is not believed any more. `secret` is the one that a person copied from the
   * tool. Throws `source_not_found` and `source_hook_unavailable`.
   */
  setUp(target: HookTarget, given?: string): Promise<HookView> {
    return this.#change(target, async (row, hook, now) => {
      const secret = hook.secretFrom === 'parley' ? randomBytes(32).toString('base64url') : (given ?? null);
      const isWaiting = secret === null;
      const set = {
        ...{ hook_secret_encrypted: secret === null ? null : this.#seal(row.id, secret), hook_since: now },
        hook_awaits_until: isWaiting ? new Date(now.getTime() + WAITING_MS) : null,
        hook_called_at: null,
      };
      return { set, secret: hook.secretFrom === 'parley' ? secret : null };
    });
  }

  /** Shows the secret that the tool has sent, once. Throws `hook_secret_not_sent` too. */
  reveal(target: HookTarget): Promise<HookView> {
    return this.#change(target, async (row, hook) => {
      if (stateOf(row) !== 'received' || hook.secretFrom !== 'tool' || row.hook_secret_encrypted === null) {
        throw new AppError('hook_secret_not_sent');
      }
      const secret = this.#dependencies.secretBox.open(row.hook_secret_encrypted, placeOf(row.id));
      return { set: { hook_awaits_until: null }, secret };
    });
  }

  remove(target: HookTarget): Promise<HookView> {
    const none = { hook_secret_encrypted: null, hook_since: null, hook_awaits_until: null };
    return this.#change(target, async () => ({ set: none, secret: null }));
  }

  /**
   * Reads a call of a tool. Nothing happens for one that was sent before. Throws `source_hook_not_found` and
   * `invalid_signature`, and what taking notices throws: then the tool may send it again.
   */
  async receive(id: string, call: Omit<HookCall, 'now'>): Promise<void> {
    const { database, clock, log } = this.#dependencies;
    const now = clock.now();
    const row = await database
      .selectFrom('source')
      .innerJoin('workspace', 'workspace.id', 'source.workspace_id')
      .selectAll('source')
      .where('source.id', '=', id)
      .where('source.hook_since', 'is not', null)
      .where('workspace.deleted_at', 'is', null)
      .executeTakeFirst();
    const hook = row === undefined ? null : findHook(row.kind);
    if (row === undefined || hook === null) throw new AppError('source_hook_not_found');
    const whole = { ...call, now };
    if (row.hook_secret_encrypted === null) return this.#takeSecret(row, hook, whole);
    const secret = this.#dependencies.secretBox.open(row.hook_secret_encrypted, placeOf(row.id));
    const signature = hook.verify(whole, secret);
    if (signature === null) throw new AppError('invalid_signature');
    if (await this.#isKnown(id, signature)) return;
    if (row.paused_at === null) await this.#act(row, hook, whole);
    // Stored last: a call that failed may be sent again, and reading an item twice does no harm.
    await database
      .insertInto('source_hook_call')
      .values({ source_id: id, signature, received_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await database.updateTable('source').set({ hook_called_at: now }).where('id', '=', id).execute();
    log.info({ source: id, kind: row.kind }, 'source webhook received');
  }

  async #act(row: SourceRow, hook: SourceHook, call: HookCall): Promise<void> {
    const reading = hook.read(call, toFields(row.settings));
    if (reading.kind === 'ignored') return;
    if (reading.kind === 'everything') return this.#startRun(row, call.now);
    if (reading.items.length === 0) return;
    const target = { workspaceId: row.workspace_id, id: row.id, startedBy: `webhook ${row.kind}` };
    await this.#dependencies.notices.take(target, reading.items);
  }

  async #startRun(source: SourceRow, now: Date): Promise<void> {
    const { database, queue, log } = this.#dependencies;
    const run = await database.transaction().execute((transaction) => {
      return insertRun(transaction, { source, startedBy: `webhook ${source.kind}`, now });
    });
    if (run !== null) await wakeRun({ queue, log }, run);
  }

  /** The first call of a tool that makes the secret. A stranger's would be refused by the tool, where a person enters it. */
  async #takeSecret(row: SourceRow, hook: SourceHook, call: HookCall): Promise<void> {
    const secret = hook.findSecret?.(call) ?? null;
    const isAwaited = row.hook_awaits_until !== null && row.hook_awaits_until > call.now;
    if (secret === null || !isAwaited) throw new AppError('source_hook_not_found');
    await this.#dependencies.database
      .updateTable('source')
      .set({ hook_secret_encrypted: this.#seal(row.id, secret) })
      .where('id', '=', row.id)
      .where('hook_secret_encrypted', 'is', null)
      .execute();
  }

  async #isKnown(id: string, signature: string): Promise<boolean> {
    const row = await this.#dependencies.database
      .selectFrom('source_hook_call')
      .select('signature')
      .where('source_id', '=', id)
      .where('signature', '=', signature)
      .executeTakeFirst();
    return row !== undefined;
  }

  #seal(id: string, secret: string): string {
    return this.#dependencies.secretBox.seal(secret, placeOf(id));
  }

  async #change(
    { workspaceId, id, actor }: HookTarget,
    change: (
      row: SourceRow,
      hook: SourceHook,
      now: Date,
    ) => Promise<{ readonly set: Partial<SourceRow>; readonly secret: string | null }>,
  ): Promise<HookView> {
    const { database, clock } = this.#dependencies;
    const at = clock.now();
    return database.transaction().execute(async (transaction: Transaction<Tables>) => {
      const row = await lockSource(transaction, { workspaceId, id });
      const hook = requireHook(row.kind);
      const { set, secret } = await change(row, hook, at);
      await transaction
        .updateTable('source')
        .set({
          hook_secret_encrypted: set.hook_secret_encrypted,
          hook_since: set.hook_since,
          hook_awaits_until: set.hook_awaits_until,
          hook_called_at: set.hook_called_at,
        })
        .where('id', '=', id)
        .execute();
      const details = { source: id };
      await auditWorkspace(transaction, {
        workspaceId,
        actor,
        at,
        action: 'source_webhook_changed',
        details,
      });
      return { ...this.#view({ ...row, ...set }, hook), secret };
    });
  }

  #view(row: SourceRow, { secretFrom }: SourceHook): HookView {
    const { hook_since: since, hook_called_at: calledAt } = row;
    return { state: stateOf(row), secretFrom, since, calledAt, secret: null };
  }
}

function stateOf(row: SourceRow): HookView['state'] {
  if (row.hook_since === null) return 'off';
  if (row.hook_secret_encrypted === null) return 'waiting';
  return row.hook_awaits_until === null ? 'on' : 'received';
}

const placeOf = (id: string): SealedPlace => ({ table: 'source', column: 'hook_secret_encrypted', id });

function requireHook(kind: string): SourceHook {
  const hook = findHook(kind);
  if (hook === null) throw new AppError('source_hook_unavailable');
  return hook;
}

/** Forgets calls that are too old to be believed again. */
export async function purgeHookCalls({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - REMEMBERED_MS);
  const { numAffectedRows } = await sql`
    delete from source_hook_call where ctid in (
      select ctid from source_hook_call where received_at < ${before} limit ${batchRows}
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
