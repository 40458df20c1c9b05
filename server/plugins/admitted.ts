import type { Admitted } from '../../core/limits/admission.ts';
import { RequestValue } from '../request-value.ts';

/** Whose key a request carries, and what was counted for it. */
export const admitted = new RequestValue<Admitted>('key');
