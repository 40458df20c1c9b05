import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import {
  deleteDraft,
  draftActionsSchema,
  type InboxDraft,
  saveDraft,
} from '../../../core/conversations/drafts.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import { draftSchema, presentDraft } from '../../schemas/draft.ts';
import { boundedString } from '../../schemas/fields.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { conversationParamsSchema, toPerson } from './schema.ts';

/** Registers the routes for drafts. */
export function draftRoutes(app: TypedApp, runtime: Runtime): void {
  putDraft(app, runtime);
  removeDraft(app, runtime);
}

const textSchema = z.object({
  content: boundedString({ min: 1, max: 10_000 }),
  actions: draftActionsSchema.nullable().default(null).meta({
    description: 'Changes that go with a reply, by snippets.',
  }),
});

const errors = errorResponses('workspace_not_found', 'conversation_not_found', 'draft_moved_on');

const putDraftSchema = {
  ...operatorRoute,
  operationId: 'saveDraft',
  summary: "Store the caller's draft in a conversation",
  description:
    'Each person has one draft of a reply and one of a note in each conversation. Sending it deletes it. If another device of the caller has saved a newer version than `base_updated_at`, the answer is `draft_moved_on` with that draft: the sent text is kept beside it, as `other`. A save that arrives after its text was sent stores nothing, and the answer is 204.',
  params: conversationParamsSchema,
  body: textSchema
    .extend({
      kind: z.enum(['reply', 'note']).default('reply'),
      base_updated_at: z.iso.datetime().nullable().optional().meta({
        description:
          'The `updated_at` of the draft that the text continues; null if there was none. Absent: it replaces any.',
      }),
      other: textSchema.nullable().optional().meta({
        description: 'The text to keep beside it; null for none. Absent: what is there stays.',
      }),
      other_saved_at: z.iso.datetime().optional().meta({
        description:
          'The `saved_at` of the `other` that the caller has seen. If it is a different one, it stays below the new `other`.',
      }),
    })
    .meta({ examples: [{ content: 'Your parcel is', base_updated_at: null }] }),
  response: { 200: draftSchema, 204: noContentSchema, ...errors },
};

function putDraft(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  const path = '/conversations/:conv_id/draft';
  app.put(path, { schema: putDraftSchema, ...needs('inbox:reply') }, async (request, reply) => {
    const { base_updated_at: at, other_saved_at: seen, ...text } = request.body;
    const base = typeof at === 'string' ? new Date(at) : at;
    const otherSavedAt = seen === undefined ? undefined : new Date(seen);
    const draft = { ...text, base, otherSavedAt };
    const saved = await saveDraft(stores, toPerson(request), request.params.conv_id, draft);
    if (saved === null) return reply.code(204).send();
    if (!saved.isSaved) throw movedOn(saved.draft);
    return presentDraft(saved.draft);
  });
}

const movedOn = (draft: InboxDraft) =>
  new AppError('draft_moved_on', { fields: { draft: presentDraft(draft) } });

const deleteDraftSchema = {
  ...operatorRoute,
  operationId: 'deleteDraft',
  summary: "Delete the caller's drafts in a conversation",
  description:
    'Does nothing if there is none. With `base_updated_at`, the text of another device takes the place of the deleted one.',
  params: conversationParamsSchema,
  querystring: z.object({
    kind: z.enum(['reply', 'note']).optional().meta({ description: 'Absent: both.' }),
    base_updated_at: z.iso.datetime().optional().meta({
      description: 'Deletes only this version, else answers `draft_moved_on`.',
    }),
  }),
  response: { 204: noContentSchema, ...errors },
};

function removeDraft(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  const path = '/conversations/:conv_id/draft';
  app.delete(path, { schema: deleteDraftSchema, ...needs('inbox:reply') }, async (request, reply) => {
    const { kind, base_updated_at: at } = request.query;
    const base = at === undefined ? undefined : new Date(at);
    const moved = await deleteDraft(stores, toPerson(request), request.params.conv_id, { kind, base });
    if (moved !== null) throw movedOn(moved);
    return reply.code(204).send();
  });
}
