import type { KeyHolder } from '../../core/workspaces/api-keys.ts';
import { RequestValue } from '../request-value.ts';

/** Whose key a request carries. */
export const keyHolder = new RequestValue<KeyHolder>('key holder');
