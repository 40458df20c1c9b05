import { createHash, randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { writeAuditEntries } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Actor } from '../contract/actor.ts';
import { isVisitorChannel } from '../contract/conversation-values.ts';
import { storeStatedContact } from '../conversations/visitor-conversations.ts';
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
  /** Null for an anonymous visitor. */
  readonly verified: VerifiedVisitor | null;
  /**
   * The browser's existing session. If the visitor has been identified since, its messages move to the identified
   * visitor.
   */
  readonly token: string | null;
}

interface OpenedSession {
  readonly token: string;
  readonly visitor: Visitor;
  readonly expiresAt: Date;
}

const dayMs = 24 * 60 * 60 * 1_000;
const anonymousMs = 90 * dayMs;
/** Shorter, because others may use the device; the integrator identifies the visitor again on the next visit. */
const verifiedMs = 14 * dayMs;

const requiresProof = sql<boolean>`coalesce((workspace.settings->>'require_identity_verification')::boolean, false)`;

/** The visitor of a session. */
interface SessionVisitor extends Visitor {
  /** Whether the session was opened anonymously before the workspace required identity verification. */
  readonly mustProve: boolean;
}

/** Sessions of visitors in widgets and hosted pages. */
export class Visitors {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Opens a new session and ends the browser's previous one. */
  async open(request: SessionRequest): Promise<OpenedSession> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    const token = newSessionToken();
    const expiresAt = new Date(now.getTime() + (request.verified === null ? anonymousMs : verifiedMs));
    return database.transaction().execute(async (transaction) => {
      const before = request.token === null ? null : await this.#end(transaction, request);
      const visitor = await openVisitor(transaction, { request, before, now });
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

  /** Returns the visitor of a session; null if the session has ended, is unknown or belongs to another channel. */
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

  /** Ends a session. It does nothing if there is no such session. */
  async close(channelId: string, token: string): Promise<void> {
    await this.#end(this.#dependencies.database, { channelId, token });
  }

  /** Marks all messages of agents so far as read. */
  async read({ id, workspaceId }: Visitor): Promise<void> {
    const { database, clock } = this.#dependencies;
    await database
      .updateTable('visitor')
      .set({ read_at: clock.now() })
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .execute();
  }

  /**
   * Stores the contact that an anonymous visitor leaves for replies. A verified visitor keeps their profile, which is
   * signed.
   */
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
      await storeStatedContact(transaction, visitor, contact);
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

async function openVisitor(
  transaction: Transaction<Tables>,
  {
    request,
    before,
    now,
  }: { readonly request: SessionRequest; readonly before: Visitor | null; readonly now: Date },
): Promise<Visitor> {
  const { workspaceId, channelId, verified } = request;
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

/** A profile with a signed e-mail address is replaced only by a profile with a signed address. */
function unlessVerified(column: 'name' | 'email' | 'email_verified') {
  return sql<never>`
    case when visitor.email_verified and visitor.email is not null and not excluded.email_verified
         then visitor.${sql.ref(column)} else excluded.${sql.ref(column)} end
  `;
}

const tokenBytes = 32;

/** Returns a session token with 256 bits of entropy. Only its hash is stored. */
function newSessionToken(): string {
  return `vs_${randomBytes(tokenBytes).toString('base64url')}`;
}

/** Returns the stored form of a token. */
function sessionTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Notifies all servers, so that they close the visitor's open event streams. */
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
  readonly actor: Actor;
}

/**
 * Ends all sessions of a conversation's visitor, on every device. Returns the number of sessions, 0 for channels without
 * sessions. Throws `conversation_not_found`.
 */
export function endSessions(
  { database, clock }: Stores,
  { workspaceId, conversationId: id, actor }: SessionsFilter,
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
    if (visitorId === null || !isVisitorChannel(channel)) return 0;
    const ended = await sql`
      delete from visitor_session using visitor
      where visitor.id = visitor_id and visitor.id = ${visitorId} and workspace_id = ${workspaceId}
    `.execute(transaction);
    const sessions = Number(ended.numAffectedRows ?? 0n);
    if (sessions === 0) return 0;
    await notifySessionsEnded(transaction, visitorId);
    const target = { id, workspaceId, actor, at: clock.now() };
    await writeAuditEntries(transaction, target, [{ action: 'sessions_ended', details: { sessions } }]);
    return sessions;
  });
}
