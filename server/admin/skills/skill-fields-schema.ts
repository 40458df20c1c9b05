import { z } from 'zod';
import { audiencesOfSkills } from '../../../core/skills/http/http-skill-record.ts';
import { characters } from '../../schemas/characters.ts';
import { receiverUrlSchema } from '../receiver-url-schema.ts';

/** What may be changed of an HTTP skill. */
export const skillFieldsSchema = z.object({
  description: characters({ min: 1, max: 1_000 }, z.string().trim()).meta({
    description: 'Tells a language model when to use it.',
  }),
  parameters: z.record(z.string(), z.unknown()).meta({
    description:
      'Its arguments: a JSON Schema (2020-12) of an object, at most 16 KB, without foreign references.',
  }),
  url: receiverUrlSchema.meta({
    description: 'Where its calls are posted to, by https, without a user name.',
  }),
  timeout_seconds: z.number().int().min(1).max(20),
  runs_for: z.enum(audiencesOfSkills).meta({
    description: 'verified: only for visitors whose identity was proven.',
  }),
  enabled: z.boolean(),
});
