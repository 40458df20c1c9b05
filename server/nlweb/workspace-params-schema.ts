import { z } from 'zod';

/** Not checked for its shape: what is no id of a workspace is as unknown as any other. */
export const workspaceParamsSchema = z.object({ workspace_id: z.string() });
