import { z } from 'zod';
import { examine } from '../../../core/health/doctor.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { needs } from '../../plugins/operator-access.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';

const findingSchema = z
  .object({
    part: z.string().meta({ examples: ['database', 'model openai:gpt-4o-mini'] }),
    state: z.enum(['ok', 'warn', 'fail']).meta({
      description:
        'fail: the part does not work. warn: it works, but something is missing or about to break.',
    }),
    text: z.string().meta({ description: 'What was found, for people.' }),
    advice: z.string().nullable().meta({ description: 'What to do; null if nothing.' }),
  })
  .meta({ id: 'Finding' });

const postDoctorSchema = {
  ...operatorRoute,
  summary: 'Check every part of the installation',
  operationId: 'examineInstallation',
  description:
    'Checks configuration, storage, queue, workers, models, reranker, public URL and channels, and returns one finding for each. Each model of a provider gets a short request, which the provider bills. Takes up to 20 seconds.',
  response: { 200: z.object({ findings: z.array(findingSchema) }) },
};

/** Registers the route that checks the installation. */
export function doctorRoutes(app: TypedApp, runtime: Runtime): void {
  app.post('/doctor', { schema: postDoctorSchema, ...needs('operations:read') }, async () => ({
    findings: [...(await examine(runtime))],
  }));
}
