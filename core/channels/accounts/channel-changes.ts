import type { Kysely, Selectable } from 'kysely';
import { type AuditChange, writeAuditEntries } from '../../audit/audit-log.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { type Fields, mergeFields, requireCredentialsForAddress } from '../../base/fields.ts';
import type { Actor } from '../../contract/actor.ts';
import type { AnyConnector } from '../../contract/connector.ts';
import { noteRotation, type Rotated, type Rotation, rotateToken } from '../../secrets/secret-rotation.ts';
import type { ChannelTable } from '../../storage/tables/channel-tables.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { parseOwnFields } from '../channel-settings.ts';
import { type AccountKeys, emptyAccountOf, type OpenedAccount } from './channel-account.ts';
import {
  findParent,
  inheritableFields,
  inheritFromParent,
  requireNoAddress,
  requireSameTenant,
} from './parent-channels.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

export interface NewChannel {
  readonly channel: string;
  readonly name: string;
  readonly credentials: Fields;
  /** `verify` and `enabled` apply to every channel; the remaining settings are the connector's. */
  readonly settings: Fields;
  readonly enabled: boolean;
  /** The parent channel whose app this channel shares. */
  readonly parent?: string | undefined;
}

/**
 * A change of a channel. Undefined fields stay unchanged. Credentials and settings are merged into the stored ones; null
 * removes a field.
 */
export type ChannelChange = {
  readonly [Field in Exclude<keyof NewChannel, 'channel' | 'parent'>]?: NewChannel[Field] | undefined;
} & {
  /** The owners whose channels may share the app of this one; `*` stands for every owner. */
  readonly shareableWith?: readonly string[] | undefined;
};

/** A channel and who changes it. Audit entries name the fields, not their values. */
export interface ChangedChannel {
  readonly workspaceId: string;
  readonly id: string;
  readonly actor: Actor;
  readonly fields?: readonly string[];
}

/** Runs a change of a channel together with its audit entry. Without an affected row nothing is written. */
export async function auditedChange<Row extends { readonly channel: string; readonly name: string }>(
  { database, clock }: Dependencies,
  { workspaceId, id, actor, action, fields }: ChangedChannel & Pick<AuditChange, 'action'>,
  run: (transaction: Kysely<Tables>) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  return database.transaction().execute(async (transaction) => {
    const row = await run(transaction);
    if (row === undefined) return row;
    const { channel: kind, name } = row;
    const details = { channel: id, kind, ...(name !== '' && { name }), ...(fields && { fields }) };
    const entry = { id: null, workspaceId, actor, at: clock.now() };
    await writeAuditEntries(transaction, entry, [{ action, details }]);
    return row;
  });
}

/** Returns the names of the changed fields, as audit entries have them. */
export function changedFields({
  credentials,
  settings,
  shareableWith,
  ...plain
}: ChannelChange): readonly string[] {
  return [
    ...Object.keys(plain),
    ...(shareableWith === undefined ? [] : ['shareable_with']),
    ...Object.keys(credentials ?? {}).map((name) => `credentials.${name}`),
    ...Object.keys(settings ?? {}).map((name) => `settings.${name}`),
  ];
}

/** Replaces a widget's public token. Throws `channel_not_found` and `no_public_token`. */
export function rotatePublicToken(
  { database, clock }: Dependencies,
  { workspaceId, id }: Pick<ChangedChannel, 'workspaceId' | 'id'>,
  { graceSeconds, actor }: Rotation,
): Promise<Rotated> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('channel')
      .select('public_token')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('channel_not_found');
    if (row.public_token === null) throw new AppError('no_public_token');
    const at = clock.now();
    const { columns, ...rotated } = rotateToken(row.public_token, { graceSeconds, now: at });
    await transaction
      .updateTable('channel')
      .set(columns)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
    const { previousValidUntil } = rotated;
    await noteRotation(transaction, { workspaceId, kind: 'channel', id, at, actor, previousValidUntil });
    return rotated;
  });
}

interface FieldChange {
  readonly row: Selectable<ChannelTable>;
  /** Null if the stored fields are unreadable. */
  readonly opened: OpenedAccount | null;
  readonly connector: AnyConnector;
  readonly given: { readonly credentials: Fields; readonly settings: Fields };
}

/**
 * Merges new fields into a channel, before anything is asked of its platform. Throws `invalid_credentials`, `invalid_settings`,
 * `invalid_parent`, `unknown_parent` and `credentials_required`.
 */
export async function planFields(
  stores: Dependencies & AccountKeys,
  { row, opened, connector, given }: FieldChange,
) {
  const parent = await findParent(stores, row);
  const ownBefore = opened ?? emptyAccountOf(row, stores);
  const before = inheritFromParent(ownBefore, parent, connector);
  if (before === null) throw new AppError('unknown_parent');
  if (parent?.sharing === 'lent') requireNoAddress(given.settings);
  const merged = {
    credentials: mergeFields(ownBefore.credentials, given.credentials),
    settings: mergeFields(ownBefore.settings, given.settings),
  };
  const ownAfter = {
    ...ownBefore,
    ...parseOwnFields(connector, merged, inheritableFields(parent, connector)),
  };
  const after = inheritFromParent(ownAfter, parent, connector) ?? ownAfter;
  requireCredentialsForAddress({ before, after, given: given.credentials });
  if (parent !== null) requireSameTenant(connector, after, row.tenant);
  return { before, ownAfter, after };
}
