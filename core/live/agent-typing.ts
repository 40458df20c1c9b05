import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { FindAccount } from '../channels/accounts/channel-account.ts';
import type { ConnectorCalls } from '../channels/connector-calls.ts';
import { findReplyLane } from '../channels/outbound/reply-window.ts';
import { listBudgets } from '../channels/outbound/send-budgets.ts';
import type { BudgetWaitQueue } from '../channels/outbound/send-queue.ts';
import { visitorChannelList } from '../conversations/visitor-conversations.ts';
import type { Database } from '../storage/database.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly connectorCalls: ConnectorCalls;
  readonly findAccount: FindAccount;
  readonly budgetWaitQueue: BudgetWaitQueue;
}

/** A conversation in which an agent types. */
interface WritingAgent {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly name: string;
}

/** Conversations whose last indicator is remembered. */
const MAX_REMEMBERED = 1_000;

/**
 * Shows visitors that an agent types: in the widget and on the hosted page with their name, elsewhere by the
 * platform's own indicator, if it has one. It works only in conversations that a person has or was asked for.
 */
export class AgentTyping {
  readonly #dependencies: Dependencies;
  /** The time until which the platform shows the indicator, by conversation. */
  readonly #shownUntil = new Map<string, number>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Failures of the platform are only logged. */
  async show({ workspaceId, conversationId, name }: WritingAgent): Promise<void> {
    const { database } = this.#dependencies;
    const { rows } = await sql<{ told: unknown }>`
      select pg_notify('visitor_news', session_id || ' typing ' || ${name.slice(0, 80)}) as told from conversation
      where id = ${conversationId} and workspace_id = ${workspaceId} and status in ('claimed', 'escalated')
        and channel in ${visitorChannelList} and session_id is not null
    `.execute(database.kysely);
    if (rows.length === 0) await this.#showOnPlatform({ workspaceId, conversationId });
  }

  async #showOnPlatform(conversation: Omit<WritingAgent, 'name'>): Promise<void> {
    const { database, clock, findAccount, connectorCalls, budgetWaitQueue, log } = this.#dependencies;
    const { workspaceId, conversationId } = conversation;
    const now = clock.now().getTime();
    if ((this.#shownUntil.get(conversationId) ?? 0) > now) return;
    if (!(await isWithPerson(database.kysely, conversation))) return;
    const lane = await findReplyLane(database.kysely, conversation);
    const open = lane?.isOpen === true ? await findAccount(lane.channelId) : null;
    const typing = open?.connector.open(open.account).typing;
    if (lane === null || open === null || typing === undefined || open.workspaceId !== workspaceId) return;
    // Messages take precedence if the platform limits its calls.
    if (budgetWaitQueue.findWaitBehindOthers(listBudgets(open, lane.to), null) !== null) return;
    this.#remember(conversationId, now + typing.lastsMs);
    await connectorCalls
      .call(open.account, (tools) => typing.show(lane.to, tools))
      .catch((err: unknown) => log.warn({ err, channel: lane.channelId }, 'typing indicator failed'));
  }

  #remember(conversationId: string, until: number): void {
    this.#shownUntil.delete(conversationId);
    this.#shownUntil.set(conversationId, until);
    const [oldest] = this.#shownUntil.keys();
    if (this.#shownUntil.size > MAX_REMEMBERED && oldest !== undefined) this.#shownUntil.delete(oldest);
  }
}

async function isWithPerson(
  database: Kysely<Tables>,
  { workspaceId, conversationId }: Omit<WritingAgent, 'name'>,
): Promise<boolean> {
  const row = await database
    .selectFrom('conversation')
    .select('id')
    .where('id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', ['claimed', 'escalated'])
    .executeTakeFirst();
  return row !== undefined;
}

interface TypingVisitor {
  readonly id: string;
  readonly workspaceId: string;
}

/**
 * Notifies agents who watch the workspace that the visitor types, if a person has the conversation or was asked for.
 */
export async function tellVisitorTyping(
  database: Kysely<Tables>,
  { id, workspaceId }: TypingVisitor,
): Promise<void> {
  await sql`
    select tell_agents(workspace_id, 'typing', id, '-') from (
      select id, workspace_id, status from conversation
      where session_id = ${id} and workspace_id = ${workspaceId} and channel in ${visitorChannelList}
      order by last_message_at desc limit 1
    ) latest
    where status in ('claimed', 'escalated')
  `.execute(database);
}
