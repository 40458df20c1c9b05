import { z } from 'zod';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { addRule, listRules, removeRule } from '../../../core/sources/ledger/block-rules.ts';
import { findBlockText, viewLedger } from '../../../core/sources/ledger/view-ledger.ts';
import { callerPermissions, needs, requestActor } from '../../plugins/operator-access.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, requestWorkspace } from '../operator-route.ts';
import {
  ledgerQuerySchema,
  ledgerSchema,
  newRuleSchema,
  presentLedger,
  presentRule,
  ruleParamsSchema,
  sourceRuleSchema,
} from './ledger-schema.ts';
import { sourceParamsSchema } from './schema.ts';

/** Registers the routes for the ledger of an item and the rules that are made there. */
export function ledgerRoutes(app: TypedApp, runtime: Runtime): void {
  readLedger(app, runtime);
  createRule(app, runtime);
  listSourceRules(app, runtime);
  deleteRule(app, runtime);
}

const ledgerRouteSchema = {
  ...operatorRoute,
  summary: 'Read the ledger of an item',
  operationId: 'getSourceLedger',
  description:
    'Returns what was fetched of a page, what of it is in its document, why the rest was cut, when each step was done, and the latest answers that rest on it.',
  params: sourceParamsSchema,
  querystring: ledgerQuerySchema,
  response: {
    200: ledgerSchema,
    ...errorResponses('workspace_not_found', 'source_not_found', 'source_item_not_found'),
  },
};

function readLedger(app: TypedApp, runtime: Runtime): void {
  app.get(
    '/sources/:source_id/ledger',
    { schema: ledgerRouteSchema, ...needs('knowledge:read') },
    async (request) => {
      const workspace = requestWorkspace.get(request);
      const place = {
        ...{ workspaceId: workspace.id, sourceId: request.params.source_id },
        key: request.query.key,
      };
      // The questions are those of visitors.
      const granted = callerPermissions(requestActor.get(request), workspace);
      const hasAnswers = granted.includes('inbox:read');
      return presentLedger(await viewLedger(partsOf(runtime), place, { hasAnswers }));
    },
  );
}

const createRuleSchema = {
  ...operatorRoute,
  summary: 'Keep or cut a block of a page',
  operationId: 'createSourceRule',
  description:
    'Makes a rule of the source for a block that the ledger names, in place of an earlier one for it. Stored pages are cut anew in the background, without a request; only documents whose text changes are indexed again.',
  params: sourceParamsSchema,
  body: newRuleSchema,
  response: {
    201: sourceRuleSchema,
    ...errorResponses(
      'workspace_not_found',
      'source_not_found',
      'source_item_not_found',
      'source_block_not_found',
      'too_many_source_rules',
    ),
  },
};

function createRule(app: TypedApp, runtime: Runtime): void {
  app.post(
    '/sources/:source_id/rules',
    { schema: createRuleSchema, ...needs('knowledge:write') },
    async (request, reply) => {
      const { key, block, action, pages } = request.body;
      const { id: workspaceId } = requestWorkspace.get(request);
      const { source_id: sourceId } = request.params;
      const sample = await findBlockText(partsOf(runtime), { workspaceId, sourceId, key }, block);
      const target = { workspaceId, sourceId, actor: requestActor.get(request).identity };
      const rule = { key: pages === 'all' ? null : key, block, action, sample };
      return reply.code(201).send(presentRule(await addRule(partsOf(runtime), target, rule)));
    },
  );
}

const listRulesSchema = {
  ...operatorRoute,
  summary: 'List the rules of a source, newest first',
  operationId: 'listSourceRules',
  description: 'Returns the rules that keep or cut blocks of its pages, at most 500.',
  params: sourceParamsSchema,
  response: {
    200: z.object({ rules: z.array(sourceRuleSchema) }),
    ...errorResponses('workspace_not_found', 'source_not_found'),
  },
};

function listSourceRules(app: TypedApp, { sources, database: { kysely: database } }: Runtime): void {
  app.get(
    '/sources/:source_id/rules',
    { schema: listRulesSchema, ...needs('knowledge:read') },
    async (request) => {
      const { id: workspaceId } = requestWorkspace.get(request);
      const { source_id: sourceId } = request.params;
      await sources.require(workspaceId, sourceId);
      return { rules: (await listRules(database, { workspaceId, sourceId })).map(presentRule) };
    },
  );
}

const deleteRuleSchema = {
  ...operatorRoute,
  summary: 'Remove a rule of a source',
  operationId: 'deleteSourceRule',
  description: 'Removes a rule: its block is judged again like any other, and stored pages are cut anew.',
  params: ruleParamsSchema,
  response: {
    204: noContentSchema,
    ...errorResponses('workspace_not_found', 'source_not_found', 'source_rule_not_found'),
  },
};

function deleteRule(app: TypedApp, runtime: Runtime): void {
  app.delete(
    '/sources/:source_id/rules/:rule_id',
    { schema: deleteRuleSchema, ...needs('knowledge:write') },
    async (request, reply) => {
      const { id: workspaceId } = requestWorkspace.get(request);
      const { source_id: sourceId, rule_id: id } = request.params;
      const target = { workspaceId, sourceId, actor: requestActor.get(request).identity };
      await removeRule(partsOf(runtime), target, id);
      return reply.code(204).send();
    },
  );
}

function partsOf({ database: { kysely: database }, sources, clock, queue, log }: Runtime) {
  return { database, tools: sources.tools, kinds: sources.kinds, clock, queue, log };
}
