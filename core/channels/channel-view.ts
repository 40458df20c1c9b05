import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { AccountText, Intake } from '../contract/connector.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { ChannelTable } from '../storage/tables/channel-tables.ts';
import type { Tables } from '../storage/tables/tables.ts';
import {
  type ChannelRecord,
  channelFromRow,
  decryptAccount,
  findIntake,
  type OpenedAccount,
  type TellUnreadable,
  UnreadableChannel,
} from './accounts/channel-account.ts';
import { type ChannelState, findStaleAfterMs, toChannelState } from './accounts/channel-activity.ts';
import { findParents, type Parent } from './accounts/parent-channels.ts';
import type { ConnectorRegistry } from './connector-registry.ts';

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
  /** How customers know the account, such as `@help_bot`, a number or an address; null if nothing says so. */
  readonly handle: string | null;
  /** Where a person can write to the account at once: an address, or a path of this installation. */
  readonly chatPage: string | null;
  /** Whether its parent belongs to another owner: only the operator's token sees which channel that is. */
  readonly isLent: boolean;
}

/** Converts rows for operators. An unreadable row is shown with the status `error` and does not affect the others. */
export async function viewChannels(
  rows: readonly Selectable<ChannelTable>[],
  dependencies: ViewDependencies,
): Promise<readonly ChannelView[]> {
  const findParent = await findParents(dependencies.database, rows, dependencies);
  return rows.map((row) => {
    const parent = findParent(row);
    try {
      return view(row, parent, dependencies);
    } catch (error) {
      const unreadable = error instanceof UnreadableChannel ? error : new UnreadableChannel(row, error);
      dependencies.tellUnreadable(unreadable);
      return unreadableView(row, unreadable, isOfOther(parent));
    }
  });
}

function view(
  row: Selectable<ChannelTable>,
  parent: Parent | null,
  dependencies: ViewDependencies,
): ChannelView {
  const connector = dependencies.registry.findConnector(row.channel);
  const account = decryptAccount(row, dependencies);
  const intakeFor = (candidate: OpenedAccount) =>
    connector === undefined ? null : findIntake(connector, candidate);
  const staleAfterMs = connector === undefined ? null : findStaleAfterMs(connector, account);
  if (parent?.sharing === 'refused') return refusedView(row, dependencies);
  const receiver = parent?.open() ?? account;
  const record = channelFromRow(row);
  const expectation = { intake: intakeFor(account), staleAfterMs };
  return {
    ...record,
    ...toChannelState(record, expectation, dependencies.clock.now()),
    webhookUrl: intakeFor(receiver) === 'webhook' ? receiver.webhookUrl : null,
    intake: intakeFor(account),
    handle: readText(connector?.about.handle, record),
    chatPage: readText(connector?.about.chatPage, record),
    isLent: isOfOther(parent),
  };
}

function readText(
  text: AccountText | undefined,
  record: Pick<ChannelRecord, 'profile' | 'settings'>,
): string | null {
  if (text === undefined) return null;
  const found = record[text.of][text.field];
  const values = (Array.isArray(found) ? found : [found]).filter((value) => typeof value === 'string');
  return values.length === 0 ? null : `${text.prefix ?? ''}${values.join(', ')}`;
}

/** A channel of an owner that the app of its parent is not lent to. */
function refusedView(row: Selectable<ChannelTable>, { clock }: ViewDependencies): ChannelView {
  const record = channelFromRow(row);
  return {
    ...record,
    ...toChannelState(record, { intake: null, staleAfterMs: null }, clock.now()),
    status: 'error',
    lastError:
      'The app of this channel belongs to another owner, who does not lend it to this one. Ask the operator of this installation.',
    webhookUrl: null,
    intake: null,
    handle: null,
    chatPage: null,
    isLent: true,
  };
}

function isOfOther(parent: Parent | null): boolean {
  return parent !== null && parent.sharing !== 'own';
}

/** Returns the view of a channel whose row is unreadable. */
function unreadableView(
  row: Selectable<ChannelTable>,
  { message }: UnreadableChannel,
  isLent: boolean,
): ChannelView {
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
    handle: null,
    chatPage: null,
    isLent,
    shareableWith: row.shareable_with,
  };
}
