import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ChannelTable } from '../storage/tables.ts';
import type { SecretBox } from '../workspaces/secret-box.ts';
import { channelOf } from './channel-record.ts';
import type { OpenedAccount } from './opened-account.ts';
import { webhookUrlOf } from './webhook-url-of.ts';

export interface Means {
  readonly secretBox: SecretBox;
  readonly publicUrl: string | undefined;
}

const credentialsSchema = z.record(z.string(), z.unknown());

/** Opens what is sealed of a channel. Of one that is under another it is only what that has of its own. */
export function accountOf(row: Selectable<ChannelTable>, { secretBox, publicUrl }: Means): OpenedAccount {
  const { id, workspaceId, channel, enabled, settings, profile, parentId } = channelOf(row);
  return {
    id,
    workspaceId,
    channel,
    enabled,
    credentials: credentialsSchema.parse(
      JSON.parse(
        secretBox.open(row.credentials_encrypted, { table: 'channel', column: 'credentials_encrypted', id }),
      ),
    ),
    settings,
    secret: secretBox.open(row.secret_encrypted, { table: 'channel', column: 'secret_encrypted', id }),
    webhookUrl: webhookUrlOf(id, publicUrl),
    profile,
    parentId,
  };
}
