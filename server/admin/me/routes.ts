import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { installationPermissions, permissionSchema, roleSchema } from '../../../core/members/authority.ts';
import type { Person } from '../../../core/members/members.ts';
import { notificationSchema, ownKeysSchema, themeSchema } from '../../../core/members/profile.ts';
import { endSession, listSessions } from '../../../core/members/sessions.ts';
import { auditPerson } from '../../../core/members/sign-in-audit.ts';
import type { WorkspaceServices } from '../../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import {
  type Actor,
  callerPermissions,
  needs,
  requestActor,
  visibleWorkspaces,
  workspaceRoles,
} from '../../plugins/operator-access.ts';
import { personNameSchema } from '../../schemas/fields.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';

const personSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    language: z.string().nullable(),
    time_zone: z.string().nullable(),
    theme: themeSchema,
    keys_enabled: z.boolean().meta({ description: 'False if single-key shortcuts are switched off.' }),
    notifications: notificationSchema.meta({
      description: 'How the dashboard tells of conversations in these views, without contents.',
    }),
    own_keys: ownKeysSchema.meta({
      description: 'By action: the keys that the person chose, or null for none.',
    }),
    email_digest: z.boolean().meta({
      description:
        'Whether the person is mailed about mentions and assigned conversations that they have not seen.',
    }),
    two_factor_enabled: z.boolean(),
    has_password: z.boolean(),
    is_operator: z.boolean(),
  })
  .meta({ id: 'Person' });

function presentPerson(person: Person, hasPassword: boolean): z.output<typeof personSchema> {
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    language: person.language,
    time_zone: person.timeZone,
    theme: person.theme,
    keys_enabled: person.keysEnabled,
    notifications: { ...person.notifications, views: [...person.notifications.views] },
    own_keys: person.ownKeys,
    email_digest: person.emailDigest,
    two_factor_enabled: person.twoFactorEnabled,
    has_password: hasPassword,
    is_operator: person.isOperator,
  };
}

const meSchema = z
  .object({
    person: personSchema.nullable().meta({ description: 'Null if the request carries the operator token.' }),
    permissions: z
      .array(permissionSchema)
      .meta({ description: 'What the caller may do outside of workspaces.' }),
    workspaces: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          owner: z.string(),
          role: roleSchema,
          permissions: z.array(permissionSchema),
        }),
      )
      .meta({ description: 'All workspaces that the caller may see, newest first.' }),
  })
  .meta({ id: 'Me' });

/** Registers the routes about the caller. */
export function ownRoutes(app: TypedApp, runtime: Runtime): void {
  getMe(app, runtime);
  patchMe(app, runtime);
  listMySessions(app, runtime);
  deleteMySession(app, runtime);
}

const getMeSchema = {
  ...operatorRoute,
  summary: 'Read who calls',
  operationId: 'getMe',
  description: 'Returns the signed-in person, the workspaces that they may see, and their permissions.',
  response: { 200: meSchema },
};

function getMe(app: TypedApp, runtime: Runtime): void {
  app.get('/me', { schema: getMeSchema, ...needs('self') }, async (request) =>
    presentMe(runtime, requestActor.get(request)),
  );
}

async function presentMe(
  { workspaces, members }: WorkspaceServices,
  actor: Actor,
): Promise<z.output<typeof meSchema>> {
  const items = await workspaces.listNames(visibleWorkspaces(actor));
  const isOperator = actor.person === null || actor.person.isOperator;
  return {
    person:
      actor.person === null ? null : presentPerson(actor.person, await members.hasPassword(actor.person.id)),
    permissions: [...installationPermissions(isOperator)],
    workspaces: items.map((workspace) => {
      const roles =
        actor.person === null ? (['owner', 'operator'] as const) : workspaceRoles(actor, workspace);
      return {
        id: workspace.id,
        name: workspace.name,
        owner: workspace.owner,
        role: roles[0] ?? 'viewer',
        permissions: [...callerPermissions(actor, workspace)],
      };
    }),
  };
}

const patchMeSchema = {
  ...operatorRoute,
  summary: 'Change your own profile',
  operationId: 'updateMe',
  description: 'Changes only the fields that are sent. A language or time zone of null follows the browser.',
  body: z.object({
    name: personNameSchema.optional(),
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/)
      .nullable()
      .optional(),
    time_zone: z.string().max(64).refine(isTimeZone).nullable().optional(),
    theme: themeSchema.optional(),
    keys_enabled: z.boolean().optional(),
    notifications: notificationSchema.optional(),
    own_keys: ownKeysSchema.optional(),
    email_digest: z.boolean().optional(),
  }),
  response: { 200: meSchema, ...errorResponses('member_not_found', 'permission_denied') },
};

function patchMe(app: TypedApp, runtime: Runtime): void {
  app.patch('/me', { schema: patchMeSchema, ...needs('self') }, async (request) => {
    const actor = requestActor.get(request);
    if (actor.person === null) {
      throw new AppError('permission_denied', {
        detail: 'The operator token belongs to no person. Sign in to the dashboard to change your profile.',
      });
    }
    const { name, language, time_zone: timeZone, theme, keys_enabled: keysEnabled } = request.body;
    const { notifications, own_keys: ownKeys, email_digest: emailDigest } = request.body;
    const change = { name, language, timeZone, theme, keysEnabled, notifications, ownKeys, emailDigest };
    const person = await runtime.members.updateProfile(actor.person.id, change);
    return presentMe(runtime, { ...actor, person });
  });
}

const sessionSchema = z
  .object({
    id: z.string(),
    is_current: z.boolean().meta({ description: 'True for the session that makes this request.' }),
    user_agent: z.string().nullable(),
    ip_address: z.string().nullable(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'PersonSession' });

const listMySessionsSchema = {
  ...operatorRoute,
  summary: 'List your own sessions',
  operationId: 'listMySessions',
  description:
    'Returns where the signed-in person is signed in, the last used first. The operator token has none.',
  response: { 200: z.object({ sessions: z.array(sessionSchema) }) },
};

function listMySessions(app: TypedApp, { database, clock }: Runtime): void {
  app.get('/me/sessions', { schema: listMySessionsSchema, ...needs('self') }, async (request) => {
    const { person, sessionId } = requestActor.get(request);
    if (person === null) return { sessions: [] };
    const sessions = await listSessions(database.kysely, { personId: person.id, now: clock.now() });
    return {
      sessions: sessions.map((session) => ({
        id: session.id,
        is_current: session.id === sessionId,
        user_agent: session.userAgent,
        ip_address: session.address,
        created_at: session.createdAt.toISOString(),
        last_used_at: session.lastUsedAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
      })),
    };
  });
}

const deleteMySessionSchema = {
  ...operatorRoute,
  summary: 'End one of your own sessions',
  operationId: 'endMySession',
  description: 'The browser of that session has to sign in again with its next request.',
  params: z.object({
    session_id: z.string().refine((id) => /^[\w-]+$/.test(id), withErrorCode('session_not_found')),
  }),
  response: { 204: noContentSchema, ...errorResponses('session_not_found') },
};

function deleteMySession(app: TypedApp, { database, clock }: Runtime): void {
  const options = { schema: deleteMySessionSchema, ...needs('self') };
  app.delete('/me/sessions/:session_id', options, async (request, reply) => {
    const { person } = requestActor.get(request);
    if (person === null) throw new AppError('session_not_found');
    await database.kysely.transaction().execute(async (transaction) => {
      await endSession(transaction, { personId: person.id, id: request.params.session_id });
      const change = { action: 'session_ended', details: {} } as const;
      await auditPerson(transaction, { personId: person.id, at: clock.now() }, change);
    });
    return reply.code(204).send();
  });
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
