import type { Claim } from '../../core/idempotency/idempotent-requests.ts';
import { RequestValue } from '../request-value.ts';

/** The right to answer of requests that carry an idempotency key. */
export const claims = new RequestValue<Claim>('claim');
