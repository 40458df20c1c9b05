import { z } from 'zod';
import { characters } from '../../schemas/characters.ts';

/** Where the visitor is on the site. */
export const metadataSchema = z
  .object({ page_url: characters({ max: 2_000 }), page_title: characters({ max: 300 }) })
  .partial()
  .optional()
  .meta({ description: 'Where the visitor is on the site: shown to the people who answer.' });
