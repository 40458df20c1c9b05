import { queueOverview } from '../../../core/pipeline/queue-overview.ts';
import type { Runtime } from '../../../core/runtime.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';
import { presentQueues } from './present-queues.ts';
import { queuesSchema } from './queues-schema.ts';

const schema = {
  ...operatorRoute,
  summary: 'What waits, what was given up, and which channels are well',
  operationId: 'getQueues',
  description:
    'Returns the number of waiting, active and failed jobs of each queue and, for each channel, its state and its backlog.',
  response: { 200: queuesSchema },
};

/** `GET /admin/v1/queues`. */
export function getQueues(app: TypedApp, runtime: Runtime): void {
  app.get('/queues', { schema }, async () => presentQueues(await queueOverview(runtime)));
}
