import { z } from 'zod';
import { characters } from '../../schemas/characters.ts';

/** A tag of a conversation, trimmed. */
export const tagSchema = characters({ min: 1, max: 64 }, z.string().trim());
