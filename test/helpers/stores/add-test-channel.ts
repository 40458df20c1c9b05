import type { Kysely } from 'kysely';
import { newId } from '../../../core/base/ids.ts';
import type { SecretBox } from '../../../core/secrets/secret-box.ts';
import type { Tables } from '../../../core/storage/tables/tables.ts';

interface TestChannel {
  readonly workspaceId: string;
  /** The kind. */
  readonly channel: string;
  /** Seals the channel's secrets; absent: it has none that can be opened. */
  readonly secretBox?: SecretBox;
  /** The channel whose app it shares. */
  readonly parentId?: string;
}

/** A channel as it is stored, that no platform was asked about; tells its id. */
export async function addTestChannel(
  database: Kysely<Tables>,
  { workspaceId, channel, secretBox, parentId }: TestChannel,
): Promise<string> {
  const id = newId('chan');
  await database
    .insertInto('channel')
    .values({
      id,
      workspace_id: workspaceId,
      channel,
      name: 'Test',
      credentials_encrypted:
        secretBox?.seal('{}', { table: 'channel', column: 'credentials_encrypted', id }) ?? '',
      secret_encrypted: secretBox?.seal('secret', { table: 'channel', column: 'secret_encrypted', id }) ?? '',
      settings: '{}',
      profile: '{}',
      last_error: null,
      heard_at: null,
      cursor: null,
      created_at: new Date(),
      ...(parentId !== undefined && { parent_id: parentId, tenant: id }),
    })
    .execute();
  return id;
}
