import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { type Person, themeSchema } from '../../../core/members/members.ts';
import {
  installationPermissions,
  permissionSchema,
  roleSchema,
  workspacePermissions,
} from '../../../core/members/permissions.ts';
import type { Runtime } from '../../../core/runtime.ts';
import {
  type Actor,
  needs,
  requestActor,
  visibleWorkspaces,
  workspaceRoles,
} from '../../plugins/operator-access.ts';
import { nameSchema } from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';

/** A list of workspaces longer than this is read by `GET /admin/v1/workspaces`. */
const MAX_WORKSPACES = 100;

const personSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    language: z.string().nullable(),
    time_zone: z.string().nullable(),
    theme: themeSchema,
    keys_enabled: z.boolean().meta({ description: 'False if single-key shortcuts are switched off.' }),
    two_factor_enabled: z.boolean(),
    is_operator: z.boolean(),
  })
  .meta({ id: 'Person' });

function presentPerson(person: Person): z.output<typeof personSchema> {
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    language: person.language,
    time_zone: person.timeZone,
    theme: person.theme,
    keys_enabled: person.keysEnabled,
    two_factor_enabled: person.twoFactorEnabled,
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
      .meta({ description: 'The newest 100 workspaces that the caller may see.' }),
  })
  .meta({ id: 'Me' });

/** Registers the routes about the caller. */
export function ownRoutes(app: TypedApp, runtime: Runtime): void {
  getMe(app, runtime);
  patchMe(app, runtime);
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

async function presentMe({ workspaces }: Runtime, actor: Actor): Promise<z.output<typeof meSchema>> {
  const { items } = await workspaces.list({ limit: MAX_WORKSPACES }, visibleWorkspaces(actor));
  const isOperator = actor.person === null || actor.person.isOperator;
  return {
    person: actor.person === null ? null : presentPerson(actor.person),
    permissions: [...installationPermissions(isOperator)],
    workspaces: items.map((workspace) => {
      const roles =
        actor.person === null ? (['owner', 'operator'] as const) : workspaceRoles(actor, workspace);
      return {
        id: workspace.id,
        name: workspace.name,
        owner: workspace.owner,
        role: roles[0] ?? 'viewer',
        permissions: [...workspacePermissions(roles)],
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
    name: nameSchema.optional(),
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/)
      .nullable()
      .optional(),
    time_zone: z.string().max(64).refine(isTimeZone).nullable().optional(),
    theme: themeSchema.optional(),
    keys_enabled: z.boolean().optional(),
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
    const change = { name, language, timeZone, theme, keysEnabled };
    const person = await runtime.members.updateProfile(actor.person.id, change);
    return presentMe(runtime, { ...actor, person });
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
