import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { errorResponses } from '../../schemas/error-responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { publicBase } from '../public-base.ts';
import { publicWorkspace } from '../public-workspace.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

const schema = {
  summary: 'What a workspace offers to agents, and where',
  operationId: 'discoverAgent',
  description:
    'Returns the name and description of the workspace and the addresses where agents ask it. Needs no key. Answers 404 unless the owner switched the public agent on.',
  tags: ['Public agent'],
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      name: z.string(),
      description: z.string(),
      ask_url: z.string().meta({ description: 'Takes questions.' }),
      mcp_url: z
        .string()
        .optional()
        .meta({ description: 'The Model Context Protocol server, where the owner turned it on.' }),
      protocol: z.literal('nlweb'),
      version: z.literal('v1'),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

/** `GET /api/nlweb/{workspace_id}`. */
export function getDiscovery(app: TypedApp, { config }: Runtime): void {
  app.get('', { schema }, async (request) => {
    const { id, name, settings } = publicWorkspace.of(request);
    const base = `${publicBase(config, request)}/api/nlweb/${id}`;
    return {
      name,
      description: settings.description ?? `Answers questions from the documents of ${name}.`,
      ask_url: `${base}/ask`,
      ...(settings.mcp_enabled === true ? { mcp_url: `${base}/mcp` } : {}),
      protocol: 'nlweb' as const,
      version: 'v1' as const,
    };
  });
}
