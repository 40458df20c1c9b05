import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Intake } from '../contract/connector.ts';
import type { ChannelTable } from '../storage/tables/channel-tables.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { SecretBox } from '../workspaces/secret-box.ts';
import {
  type ChannelRecord,
  channelFromRow,
  decryptAccount,
  findIntake,
  type OpenedAccount,
  type TellUnreadable,
  UnreadableChannel,
} from './channel-account.ts';
import { type ChannelState, findStaleAfterMs, toChannelState } from './channel-activity.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import { findParents } from './parent-channels.ts';

interface ViewDependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly tellUnreadable: TellUnreadable;
  readonly registry: ConnectorRegistry;
  readonly publicUrl: string | undefined;
}

/** A channel with its current state. `webhookUrl` is null if the platform does not post. */
export interface ChannelView extends Omit<ChannelRecord, 'status'>, ChannelState {
  readonly webhookUrl: string | null;
  /** How its events arrive; null if they arrive at its parent, or if its settings cannot be read. */
  readonly intake: Intake | null;
}

/** Converts rows for operators. An unreadable row is shown with the status `error` and does not affect the others. */
export async function viewChannels(
  rows: readonly Selectable<ChannelTable>[],
  dependencies: ViewDependencies,
): Promise<readonly ChannelView[]> {
  const parents = await findParents(dependencies.database, rows, dependencies);
  return rows.map((row) => {
    try {
      return view(row, parents.get(row.parent_id ?? '')?.() ?? null, dependencies);
    } catch (error) {
      const unreadable = error instanceof UnreadableChannel ? error : new UnreadableChannel(row, error);
      dependencies.tellUnreadable(unreadable);
      return unreadableView(row, unreadable);
    }
  });
}

function view(
  row: Selectable<ChannelTable>,
  parent: OpenedAccount | null,
  dependencies: ViewDependencies,
): ChannelView {
  const connector = dependencies.registry.findConnector(row.channel);
  const account = decryptAccount(row, dependencies);
  const intakeFor = (candidate: OpenedAccount) =>
    connector === undefined ? null : findIntake(connector, candidate);
  const staleAfterMs = connector === undefined ? null : findStaleAfterMs(connector, account);
  const receiver = parent ?? account;
  const record = channelFromRow(row);
  const expectation = { intake: intakeFor(account), staleAfterMs };
  return {
    ...record,
    ...toChannelState(record, expectation, dependencies.clock.now()),
    webhookUrl: intakeFor(receiver) === 'webhook' ? receiver.webhookUrl : null,
    intake: intakeFor(account),
  };
}

/** Returns the view of a channel whose row is unreadable. */
function unreadableView(row: Selectable<ChannelTable>, { message }: UnreadableChannel): ChannelView {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    channel: row.channel,
    name: row.name,
    status: 'error',
    isStale: false,
    lastError: message,
    heardAt: row.heard_at,
    enabled: row.enabled,
    settings: {},
    profile: {},
    publicToken: row.public_token,
    parentId: row.parent_id,
    tenant: row.tenant,
    createdAt: row.created_at,
    webhookUrl: null,
    intake: null,
  };
}
