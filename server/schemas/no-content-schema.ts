import { z } from 'zod';

/** The body of a 204: none. */
export const noContentSchema = z.undefined().meta({ type: 'null', description: 'Done.' });
