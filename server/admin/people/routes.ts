import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { erasePerson } from '../../../core/privacy/erase-person.ts';
import { exportPerson, type PersonExport } from '../../../core/privacy/export-person.ts';
import type { PersonKey } from '../../../core/privacy/person.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { boundedString, emailSchema } from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { presentConversationView } from '../../v1/conversations/present.ts';
import { conversationViewSchema } from '../../v1/conversations/schema.ts';
import { operatorRoute, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

const querySchema = z.object({
  email: emailSchema.optional(),
  phone: z
    .string()
    .max(50)
    .refine((value) => value.replaceAll(/\D/g, '').length >= 5)
    .optional()
    .meta({ description: 'Compared by its digits. At least five are required.' }),
  user_id: boundedString({ min: 1, max: 200 }).optional(),
});

const count = z.int().nonnegative();

const receiptSchema = z
  .object({
    id: z.string().meta({ description: 'The id of the entry in the audit log of the workspace.' }),
    erased_at: z.iso.datetime(),
    counts: z.object({
      conversations: count,
      messages: count,
      notes: count,
      visitors: count,
      sessions: count,
      files: count,
      replays: count.meta({ description: 'Stored responses of idempotent requests.' }),
      deliveries: count.meta({ description: 'Stored webhook deliveries.' }),
      threads: count.meta({ description: 'Threads on platforms, with their addresses.' }),
    }),
  })
  .meta({ id: 'ErasureReceipt' });

const exportSchema = z
  .object({
    exported_at: z.iso.datetime(),
    conversations: z.array(conversationViewSchema),
    visitors: z.array(
      z.object({
        id: z.string(),
        channel_id: z.string(),
        user_id: z.string().nullable(),
        name: z.string().nullable(),
        email: z.string().nullable(),
        audience: z.array(z.string()),
        created_at: z.iso.datetime(),
      }),
    ),
    files: z.array(
      z.object({
        id: z.string(),
        conversation_id: z.string().nullable(),
        name: z.string(),
        content_type: z.string(),
        size: z.int(),
        created_at: z.iso.datetime(),
      }),
    ),
    deliveries: z.array(
      z.object({
        id: z.string(),
        webhook_id: z.string(),
        conversation_id: z.string().nullable(),
        event: z.string(),
        data: z.unknown(),
        status: z.string(),
        created_at: z.iso.datetime(),
      }),
    ),
    replays: z.array(
      z.object({
        key_id: z.string(),
        idempotency_key: z.string(),
        conversation_id: z.string().nullable(),
        body: z.string().nullable(),
        created_at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'PersonExport' });

const lookUp = {
  ...operatorRoute,
  params: workspaceParamsSchema,
  querystring: querySchema,
};

const errors = errorResponses('workspace_not_found', 'missing_field', 'ambiguous_person');

const exportRoute = {
  ...lookUp,
  operationId: 'exportPerson',
  summary: 'Export all data of a person in a workspace',
  description:
    'Looks the person up by exactly one of `email`, `phone` and `user_id`. Returns their conversations with messages, ' +
    'notes and audit log, their visitor records and files, stored webhook deliveries and stored responses. Fetch the contents ' +
    'of the files as attachments of the messages. The lists are empty if the workspace has no data of the person.',
  response: { 200: exportSchema, ...errors },
};

const eraseRoute = {
  ...lookUp,
  operationId: 'erasePerson',
  summary: 'Erase all data of a person in a workspace',
  description:
    'Looks the person up by exactly one of `email`, `phone` and `user_id`, and permanently deletes everything that the ' +
    'export returns. Entries of audit logs are kept: they contain names of fields and no values. Opted-out phone numbers stay ' +
    'on the opt-out list of their channel. The receipt, which contains only counts, is kept in the audit log of the ' +
    'workspace. A second call returns zeros.',
  response: { 200: receiptSchema, ...errors },
};

/** Registers `GET` and `DELETE …/people` below a workspace. */
export function personRoutes(app: TypedApp, runtime: Runtime): void {
  const stores = { database: runtime.database.kysely, clock: runtime.clock };
  app.get(
    '/people',
    { schema: exportRoute, ...needs('customers:write', { scope: 'people:write' }) },
    async (request) => {
      const { id: workspaceId, owner } = requestWorkspace.get(request);
      const user = { ownerId: owner, workspaceId, name: 'operator' };
      return presentExport(await exportPerson(stores, { workspaceId, user, key: parseKey(request.query) }));
    },
  );
  app.delete(
    '/people',
    { schema: eraseRoute, ...needs('customers:write', { fresh: true }) },
    async (request) => {
      const { id: workspaceId } = requestWorkspace.get(request);
      const { id, erasedAt, counts } = await erasePerson(stores, {
        workspaceId,
        key: parseKey(request.query),
        actor: requestActor.get(request).identity,
      });
      return { id, erased_at: erasedAt.toISOString(), counts };
    },
  );
}

/** Throws `missing_field` if no key is given, and `ambiguous_person` if there are several. */
function parseKey({ email, phone, user_id }: z.output<typeof querySchema>): PersonKey {
  const keys: PersonKey[] = [];
  if (email !== undefined) keys.push({ field: 'email', value: email });
  if (phone !== undefined) keys.push({ field: 'phone', value: phone });
  if (user_id !== undefined) keys.push({ field: 'user_id', value: user_id });
  const [key, ...others] = keys;
  if (key === undefined) {
    throw new AppError('missing_field', { detail: 'Exactly one of email, phone and user_id is required.' });
  }
  if (others.length > 0) throw new AppError('ambiguous_person');
  return key;
}

function presentExport(exported: PersonExport): z.output<typeof exportSchema> {
  return {
    exported_at: exported.exportedAt.toISOString(),
    conversations: exported.conversations.map((view) => presentConversationView(view, null)),
    visitors: exported.visitors.map(({ created_at, ...visitor }) => ({
      ...visitor,
      created_at: created_at.toISOString(),
    })),
    files: exported.files.map(({ visitor_id: _, created_at, ...file }) => ({
      ...file,
      created_at: created_at.toISOString(),
    })),
    deliveries: exported.deliveries.map(({ created_at, ...delivery }) => ({
      ...delivery,
      created_at: created_at.toISOString(),
    })),
    replays: exported.replays.map(({ created_at, ...replay }) => ({
      ...replay,
      created_at: created_at.toISOString(),
    })),
  };
}
