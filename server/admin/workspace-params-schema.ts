import { z } from 'zod';
import { workspaceIdSchema } from '../schemas/workspace-id-schema.ts';

/** The path parameters of everything below a workspace. */
export const workspaceParamsSchema = z.object({ workspace_id: workspaceIdSchema });
