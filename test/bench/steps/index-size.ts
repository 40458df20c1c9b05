import { z } from 'zod';

export const indexSize = z.object({ chunks: z.number(), smallWorkspaces: z.number() });
