import { z } from 'zod';
import type { TypedApp } from '../typed-app.ts';

/** Whether the process is alive: also while it drains. */
export function getHealthz(app: TypedApp): void {
  const schema = {
    summary: 'Whether the process is alive',
    operationId: 'getHealth',
    description: 'Answers 200 as long as the process runs, whatever else works. Use it as a liveness probe.',
    tags: ['Health'],
    response: { 200: z.object({ status: z.literal('alive') }) },
  };
  app.get('/healthz', { schema, config: { whileDraining: true } }, async () => ({
    status: 'alive' as const,
  }));
}
