import type { Reservation } from '../../core/limits/quota.ts';
import { RequestValue } from '../request-value.ts';

/** What was counted for a request against its owner's month. */
export const reservations = new RequestValue<Reservation>('reservation');
