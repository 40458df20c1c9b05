import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { Tags } from '../../../core/conversations/inbox/tags.ts';
import { checkVariables, snippetVariables } from '../../../core/inbox/snippet-variables.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { type Snippet, Snippets, snippetActionsSchema } from '../../../core/workspaces/snippets.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { boundedString } from '../../schemas/fields.ts';
import { pageQuerySchema, paginationSchema, presentPagination } from '../../schemas/pagination.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import {
  operatorRoute,
  requestWorkspace,
  restorableMs,
  restorableQuerySchema,
  workspaceParamsSchema,
} from '../operator-route.ts';

/** Registers the routes for snippets and for the tags of conversations. */
export function snippetRoutes(app: TypedApp, { database, clock }: Runtime): void {
  const stores = { database: database.kysely, clock };
  const snippets = new Snippets(stores);
  postSnippet(app, snippets);
  listSnippets(app, snippets);
  patchSnippet(app, snippets);
  deleteSnippet(app, snippets);
  restoreSnippet(app, snippets);
  const tags = new Tags(stores);
  listTags(app, tags);
  renameTag(app, tags);
  removeTag(app, tags);
  restoreTag(app, tags);
}

const tagSchema = boundedString({ min: 1, max: 64 }, z.string().trim());

const snippetFieldsSchema = z.object({
  name: boundedString({ min: 1, max: 64 }, z.string().trim()).meta({
    description: 'What agents type to find it. It must be unique in the workspace.',
  }),
  text: boundedString({ min: 1, max: 4_000 }, z.string().trim()).meta({
    description: `The text that goes into the reply. It may name ${snippetVariables.join(', ')} as \`{{customer.first_name}}\`, or \`{{customer.first_name|there}}\` with a word for when it is unknown.`,
  }),
  tags: z.array(tagSchema).max(20).meta({ description: 'Tags that the conversation gets with it.' }),
  actions: snippetActionsSchema.meta({ description: 'Changes that the conversation gets with it.' }),
});

const snippetSchema = snippetFieldsSchema
  .extend({
    id: z.string(),
    created_by: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Snippet' });

const snippetParamsSchema = workspaceParamsSchema.extend({
  snippet_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('snippet_not_found')),
});

function presentSnippet(snippet: Snippet): z.output<typeof snippetSchema> {
  return {
    id: snippet.id,
    name: snippet.name,
    text: snippet.text,
    tags: [...snippet.tags],
    actions: snippet.actions,
    created_by: snippet.createdBy,
    created_at: snippet.createdAt.toISOString(),
    updated_at: snippet.updatedAt.toISOString(),
  };
}

const postSnippetSchema = {
  ...operatorRoute,
  summary: 'Add a snippet',
  operationId: 'createSnippet',
  description: 'Adds a text that agents insert into replies by its name.',
  params: workspaceParamsSchema,
  body: snippetFieldsSchema
    .extend({ tags: snippetFieldsSchema.shape.tags.default([]), actions: snippetActionsSchema.optional() })
    .meta({
      examples: [{ name: 'returns', text: 'You can return a box within 30 days.', tags: ['returns'] }],
    }),
  response: { 201: snippetSchema, ...errorResponses('workspace_not_found', 'snippet_name_taken') },
};

function postSnippet(app: TypedApp, snippets: Snippets): void {
  app.post(
    '/snippets',
    { schema: postSnippetSchema, ...needs('workspace:write') },
    async (request, reply) => {
      const { id } = requestWorkspace.get(request);
      checkVariables(request.body.text);
      const snippet = await snippets.create(id, request.body, requestActor.get(request).identity);
      return reply.code(201).send(presentSnippet(snippet));
    },
  );
}

const listSnippetsSchema = {
  ...operatorRoute,
  summary: 'List the snippets of a workspace, newest first',
  operationId: 'listSnippets',
  description: 'Returns the snippets of the workspace in pages.',
  params: workspaceParamsSchema,
  querystring: pageQuerySchema.extend({
    q: boundedString({ min: 1, max: 200 }, z.string().trim())
      .optional()
      .meta({ description: 'Returns snippets whose name or text contains this.' }),
  }),
  response: {
    200: z.object({ snippets: z.array(snippetSchema), pagination: paginationSchema }),
    ...errorResponses('workspace_not_found'),
  },
};

function listSnippets(app: TypedApp, snippets: Snippets): void {
  app.get('/snippets', { schema: listSnippetsSchema, ...needs('inbox:read') }, async (request) => {
    const { q, ...wanted } = request.query;
    const page = await snippets.list(requestWorkspace.get(request).id, wanted, q);
    return { snippets: page.items.map(presentSnippet), pagination: presentPagination(page) };
  });
}

const patchSnippetSchema = {
  ...operatorRoute,
  summary: 'Change a snippet',
  operationId: 'updateSnippet',
  description: 'Changes only the fields that are sent.',
  params: snippetParamsSchema,
  body: snippetFieldsSchema.partial(),
  response: {
    200: snippetSchema,
    ...errorResponses('workspace_not_found', 'snippet_not_found', 'snippet_name_taken'),
  },
};

function patchSnippet(app: TypedApp, snippets: Snippets): void {
  app.patch(
    '/snippets/:snippet_id',
    { schema: patchSnippetSchema, ...needs('workspace:write') },
    async (request) => {
      if (Object.keys(request.body).length === 0) {
        throw new AppError('missing_field', {
          detail: 'Nothing to change. Send name, text, tags or actions.',
        });
      }
      const { id } = requestWorkspace.get(request);
      if (request.body.text !== undefined) checkVariables(request.body.text);
      const actor = requestActor.get(request).identity;
      return presentSnippet(await snippets.change(id, request.params.snippet_id, request.body, actor));
    },
  );
}

const deleteSnippetSchema = {
  ...operatorRoute,
  summary: 'Delete a snippet',
  operationId: 'deleteSnippet',
  description:
    'Deletes the snippet. Replies that were written with it stay. With `restorable=true` it can be restored for a minute.',
  params: snippetParamsSchema,
  querystring: restorableQuerySchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'snippet_not_found') },
};

function deleteSnippet(app: TypedApp, snippets: Snippets): void {
  app.delete(
    '/snippets/:snippet_id',
    { schema: deleteSnippetSchema, ...needs('workspace:write') },
    async (request, reply) => {
      const { id } = requestWorkspace.get(request);
      await snippets.delete(id, request.params.snippet_id, {
        actor: requestActor.get(request).identity,
        restorableMs: restorableMs(request.query.restorable),
      });
      return reply.code(204).send();
    },
  );
}

const restoreSnippetSchema = {
  ...operatorRoute,
  summary: 'Restore a deleted snippet',
  operationId: 'restoreSnippet',
  description: 'Takes back a deletion with `restorable=true`, within a minute.',
  params: snippetParamsSchema,
  response: {
    200: snippetSchema,
    ...errorResponses('workspace_not_found', 'snippet_not_found', 'snippet_name_taken'),
  },
};

function restoreSnippet(app: TypedApp, snippets: Snippets): void {
  app.post(
    '/snippets/:snippet_id/restore',
    { schema: restoreSnippetSchema, ...needs('workspace:write') },
    async (request) => {
      const { id } = requestWorkspace.get(request);
      const actor = requestActor.get(request).identity;
      return presentSnippet(await snippets.restore(id, request.params.snippet_id, actor));
    },
  );
}

const listTagsSchema = {
  ...operatorRoute,
  summary: 'List the tags of a workspace, the most used first',
  operationId: 'listTags',
  description: 'Returns at most 500 tags with the number of conversations that have them.',
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      tags: z.array(
        z.object({
          tag: z.string(),
          conversations: z.int(),
          open: z.int().meta({ description: 'Those that are neither resolved nor archived.' }),
        }),
      ),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

function listTags(app: TypedApp, tags: Tags): void {
  app.get('/tags', { schema: listTagsSchema, ...needs('inbox:read') }, async (request) => ({
    tags: [...(await tags.list(requestWorkspace.get(request).id))],
  }));
}

const renameTagSchema = {
  ...operatorRoute,
  summary: 'Rename a tag, or merge it into another one',
  operationId: 'renameTag',
  description:
    'Replaces the tag in all conversations and snippets. If the new name is in use already, the two tags become one, which cannot be undone.',
  params: workspaceParamsSchema,
  body: z.object({ from: tagSchema, to: tagSchema }).meta({ examples: [{ from: 'refund', to: 'returns' }] }),
  response: {
    200: z.object({ conversations: z.int().meta({ description: 'The number that had the tag.' }) }),
    ...errorResponses('workspace_not_found', 'tag_not_found'),
  },
};

function renameTag(app: TypedApp, tags: Tags): void {
  app.post('/tags/rename', { schema: renameTagSchema, ...needs('workspace:write') }, async (request) => {
    const { id } = requestWorkspace.get(request);
    return { conversations: await tags.rename(id, request.body, requestActor.get(request).identity) };
  });
}

const tagBodySchema = z.object({ tag: tagSchema });
const changedConversationsSchema = z.object({
  conversations: z.int().meta({ description: 'The number of conversations that were changed.' }),
});

const removeTagSchema = {
  ...operatorRoute,
  summary: 'Remove a tag',
  operationId: 'removeTag',
  description:
    'Removes the tag from all conversations and snippets. With `restorable` it can be restored for a minute.',
  params: workspaceParamsSchema,
  body: tagBodySchema.extend({ restorable: z.boolean().default(false) }).meta({
    examples: [{ tag: 'refund', restorable: true }],
  }),
  response: { 200: changedConversationsSchema, ...errorResponses('workspace_not_found', 'tag_not_found') },
};

function removeTag(app: TypedApp, tags: Tags): void {
  app.post('/tags/remove', { schema: removeTagSchema, ...needs('workspace:write') }, async (request) => {
    const { tag, restorable } = request.body;
    const deletion = { actor: requestActor.get(request).identity, restorableMs: restorableMs(restorable) };
    return { conversations: await tags.remove(requestWorkspace.get(request).id, tag, deletion) };
  });
}

const restoreTagSchema = {
  ...operatorRoute,
  summary: 'Restore a removed tag',
  operationId: 'restoreTag',
  description:
    'Takes back a removal with `restorable`, within a minute: the conversations and snippets that had the tag get it back.',
  params: workspaceParamsSchema,
  body: tagBodySchema.meta({ examples: [{ tag: 'refund' }] }),
  response: { 200: changedConversationsSchema, ...errorResponses('workspace_not_found', 'tag_not_found') },
};

function restoreTag(app: TypedApp, tags: Tags): void {
  app.post('/tags/restore', { schema: restoreTagSchema, ...needs('workspace:write') }, async (request) => {
    const { id } = requestWorkspace.get(request);
    return { conversations: await tags.restore(id, request.body.tag, requestActor.get(request).identity) };
  });
}
