import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';

/** A part of what was read as JSON before: it is not gone through once more, which costs far more than the reading. */
export const parsedJson = z.custom<Json>((value) => value !== undefined);
