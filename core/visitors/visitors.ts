import { createHash, randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { writeAuditEntries } from '../conversations/audit-log.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { VerifiedVisitor } from '../workspaces/identity.ts';
import { mergeVisitors, type Visitor, visitorFromRow } from './visitor.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

interface SessionRequest {
  readonly workspaceId: string;
  readonly channelId: string;
  /** Null for an unknown visitor. */
  readonly verified: VerifiedVisitor | null;
  /** The session that the browser has already: what its visitor said is his who is known now. */
  readonly token: string | null;
}

interface OpenedSession {
  readonly token: string;
  readonly visitor: Visitor;
  readonly expiresAt: Date;
}

const dayMs = 24 * 60 * 60 * 1_000;
const anonymousMs = 90 * dayMs;
/** Shorter: others may sit down at the device, and he is known anew by his next visit. */
const verifiedMs = 14 * dayMs;

const requiresProof = sql<boolean>`coalesce((workspace.settings->>'require_identity_verification')::boolean, false)`;

/** The visitor behind a session. */
interface SessionVisitor extends Visitor {
  /** The session was opened anonymously, before the workspace began to require proof of identity. */
  readonly mustProve: boolean;
}

/** Visitors of widgets and pages, and their sessions. */
export class Visitors {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** A new session; the one that the browser had is over. */
  async open(arrival: SessionRequest): Promise<OpenedSession> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    const token = newSessionToken();
    const expiresAt = new Date(now.getTime() + (arrival.verified === null ? anonymousMs : verifiedMs));
    return database.transaction().execute(async (transaction) => {
      const before = arrival.token === null ? null : await this.#end(transaction, arrival);
      const visitor = await welcome(transaction, { arrival, before, now });
      await transaction
        .insertInto('visitor_session')
        .values({
          token_hash: sessionTokenHash(token),
          visitor_id: visitor.id,
          created_at: now,
          expires_at: expiresAt,
        })
        .execute();
      return { token, visitor, expiresAt };
    });
  }

  /** The visitor of a session; null for one that is over, unknown, or of another channel. */
  async find(channelId: string, token: string): Promise<SessionVisitor | null> {
    const { database, clock } = this.#dependencies;
    const row = await database
      .selectFrom('visitor_session')
      .innerJoin('visitor', 'visitor.id', 'visitor_session.visitor_id')
      .innerJoin('workspace', 'workspace.id', 'visitor.workspace_id')
      .selectAll('visitor')
      .select(requiresProof.as('requires_proof'))
      .where('visitor_session.token_hash', '=', sessionTokenHash(token))
      .where('visitor_session.expires_at', '>', clock.now())
      .where('visitor.channel_id', '=', channelId)
      .executeTakeFirst();
    if (row === undefined) return null;
    return { ...visitorFromRow(row), mustProve: row.requires_proof && row.user_id === null };
  }

  /** Logs out; nothing happens where nobody was logged in. */
  async close(channelId: string, token: string): Promise<void> {
    await this.#end(this.#dependencies.database, { channelId, token });
  }

  /** Takes what people said until now as seen. */
  async read({ id, workspaceId }: Visitor): Promise<void> {
    const { database, clock } = this.#dependencies;
    await database
      .updateTable('visitor')
      .set({ read_at: clock.now() })
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .execute();
  }

  /** Where he wants to be answered when he is gone; of one whose identity was proven that is known better. */
  async leaveContact(visitor: Visitor, contact: { readonly email: string; readonly name: string | null }) {
    const { id, workspaceId } = visitor;
    if (visitor.verified !== null) return;
    await this.#dependencies.database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('visitor')
        .set({ ...contact, email_verified: false })
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .execute();
      await transaction
        .updateTable('conversation')
        .set({
          customer_email: contact.email,
          customer_email_verified: false,
          ...(contact.name !== null && { customer_name: contact.name }),
        })
        .where('workspace_id', '=', workspaceId)
        .where('session_id', '=', id)
        .where('customer_email_verified', '=', false)
        .where('channel', 'in', ['widget', 'hosted'])
        .execute();
    });
  }

  async #end(
    database: Kysely<Tables>,
    { channelId, token }: Pick<SessionRequest, 'channelId' | 'token'>,
  ): Promise<Visitor | null> {
    const row = await database
      .deleteFrom('visitor_session')
      .using('visitor')
      .whereRef('visitor.id', '=', 'visitor_session.visitor_id')
      .where('visitor_session.token_hash', '=', sessionTokenHash(token ?? ''))
      .where('visitor_session.expires_at', '>', this.#dependencies.clock.now())
      .where('visitor.channel_id', '=', channelId)
      .returningAll('visitor')
      .executeTakeFirst();
    if (row === undefined) return null;
    await notifySessionsEnded(database, row.id);
    return visitorFromRow(row);
  }
}

async function welcome(
  transaction: Transaction<Tables>,
  {
    arrival,
    before,
    now,
  }: { readonly arrival: SessionRequest; readonly before: Visitor | null; readonly now: Date },
): Promise<Visitor> {
  const { workspaceId, channelId, verified } = arrival;
  if (verified === null && before !== null && before.verified === null) return before;
  const row = await transaction
    .insertInto('visitor')
    .values({
      id: newId('vis'),
      workspace_id: workspaceId,
      channel_id: channelId,
      user_id: verified?.userId ?? null,
      name: verified?.customer.name ?? null,
      email: verified?.customer.email ?? null,
      email_verified: verified?.customer.emailVerified ?? false,
      audience: [...(verified?.audience ?? [])],
      read_at: now,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'user_id']).doUpdateSet((excluded) => ({
        name: unlessVerified('name'),
        email: unlessVerified('email'),
        email_verified: unlessVerified('email_verified'),
        audience: excluded.ref('excluded.audience'),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  const visitor = visitorFromRow(row);
  if (verified !== null && before?.verified === null) await mergeVisitors(transaction, before, visitor);
  return visitor;
}

/** A profile with a signed address is replaced only by another one with a signed address. */
function unlessVerified(column: 'name' | 'email' | 'email_verified') {
  return sql<never>`
    case when visitor.email_verified and visitor.email is not null and not excluded.email_verified
         then visitor.${sql.ref(column)} else excluded.${sql.ref(column)} end
  `;
}

const bytes = 32;

/** What a browser shows to be taken for its visitor: nobody guesses it, and it is not kept here. */
function newSessionToken(): string {
  return `vs_${randomBytes(bytes).toString('base64url')}`;
}

/** What is kept of it. */
function sessionTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** So that no server tells news any longer to who had one of them. */
export async function notifySessionsEnded(database: Kysely<Tables>, visitorId: string): Promise<void> {
  await sql`select pg_notify('visitor_news', ${visitorId})`.execute(database);
}

interface Stores {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
}

interface SessionsFilter {
  readonly workspaceId: string;
  readonly conversationId: string;
}

/**
 * Ends all sessions of the visitor whose conversation it is, on every device of his: how many there were, none where its
 * channel has no sessions of ours. Throws `conversation_not_found`.
 */
export function endSessions(
  { database, clock }: Stores,
  { workspaceId, conversationId: id }: SessionsFilter,
): Promise<number> {
  return database.kysely.transaction().execute(async (transaction) => {
    const conversation = await transaction
      .selectFrom('conversation')
      .select(['session_id', 'channel'])
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    if (conversation === undefined) throw new AppError('conversation_not_found');
    const { session_id: visitorId, channel } = conversation;
    if (visitorId === null || !['widget', 'hosted'].includes(channel)) return 0;
    const ended = await sql`
      delete from visitor_session using visitor
      where visitor.id = visitor_id and visitor.id = ${visitorId} and workspace_id = ${workspaceId}
    `.execute(transaction);
    const sessions = Number(ended.numAffectedRows ?? 0n);
    if (sessions === 0) return 0;
    await notifySessionsEnded(transaction, visitorId);
    const told = { id, workspaceId, actor: 'operator', at: clock.now() };
    await writeAuditEntries(transaction, told, [{ action: 'sessions_ended', details: { sessions } }]);
    return sessions;
  });
}
