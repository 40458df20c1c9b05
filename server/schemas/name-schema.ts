import { z } from 'zod';
import { characters } from './characters.ts';

/** What a person calls a thing, trimmed. */
export const nameSchema = characters({ min: 1, max: 200 }, z.string().trim());
