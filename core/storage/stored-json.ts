import { z } from 'zod';
import type { Json } from '../contract/account.ts';

/** What the database keeps as JSON is JSON: looking through it again would cost every message a good part of its time. */
export const storedJson = z.custom<Json>();
