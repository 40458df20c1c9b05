import { z } from 'zod';

/** What every error is answered with. */
export const errorBodySchema = z
  .object({
    detail: z.string().meta({ description: 'What is wrong, for people.' }),
    code: z.string().meta({ description: 'What is wrong, for programs: stable.' }),
    request_id: z.string().meta({ description: 'Also in the header X-Request-Id.' }),
  })
  .meta({ id: 'Error' });
