import { z } from 'zod';
import { findQuotaUse } from '../../core/limits/usage.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { keyModes, keyReaches, keyScopes } from '../../core/workspaces/keys/key-scopes.ts';
import { planNames } from '../../core/workspaces/workspace-settings.ts';
import { keyAdmission, needsScope } from '../plugins/admission.ts';
import type { TypedApp } from '../typed-app.ts';

const keyOwnerSchema = z
  .object({
    key: z.object({
      id: z.string(),
      name: z.string(),
      scopes: z.array(z.enum(keyScopes)),
      workspaces: z.enum(keyReaches).meta({
        description: 'Whether the key reaches its own workspace only, or all of its owner.',
      }),
      mode: z.enum(keyModes),
      expires_at: z.iso.datetime().nullable().meta({ description: 'Null: never.' }),
    }),
    workspace_id: z
      .string()
      .meta({ description: 'The workspace that a request without workspace_id means.' }),
    workspace_name: z.string(),
    owner: z.string(),
    plan: z.enum(planNames),
    limits: z.object({ minute: z.int(), day: z.int() }).meta({ description: 'Requests of the key.' }),
    usage: z
      .object({
        messages: z.int(),
        quota: z.int().nullable().meta({ description: 'Null: unlimited.' }),
        resets_at: z.iso.datetime(),
      })
      .meta({ description: "The messages of this month, of all the owner's workspaces." }),
  })
  .meta({ id: 'KeyOwner' });

const getMeSchema = {
  tags: ['Keys'],
  security: [{ apiKey: [] }],
  operationId: 'getKeyOwner',
  summary: 'Show what an API key belongs to',
  description:
    'Returns the key with its scopes, its workspace, its limits and what its owner has used this month. Every key may call this.',
  response: { 200: keyOwnerSchema },
};

/** Registers the route that tells the holder of a key what it opens. */
export function getMe(app: TypedApp, { database, clock }: Runtime): void {
  app.get('/me', { schema: getMeSchema, ...needsScope('any') }, async (request) => {
    const { holder, limits } = keyAdmission.get(request);
    const { workspace } = holder;
    const use = await findQuotaUse({ database: database.kysely, clock }, workspace);
    return {
      key: {
        id: holder.id,
        name: holder.name,
        scopes: [...holder.scopes],
        workspaces: holder.workspaces,
        mode: holder.mode,
        expires_at: holder.expiresAt?.toISOString() ?? null,
      },
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      owner: workspace.owner,
      plan: workspace.plan,
      limits: { minute: limits.minute, day: limits.day },
      usage: { messages: use.messages, quota: use.quota, resets_at: use.resetsAt.toISOString() },
    };
  });
}
