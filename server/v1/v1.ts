import type { Runtime } from '../../core/runtime.ts';
import { authenticateKey } from '../plugins/authenticate-key.ts';
import type { TypedApp } from '../typed-app.ts';
import { postQuery } from './query/post-query.ts';

export interface V1Options {
  /** After so long a query is given up. */
  readonly queryTimeoutMs: number;
}

/** What integrators call with an API key. */
export function v1(app: TypedApp, runtime: Runtime, { queryTimeoutMs }: V1Options): void {
  authenticateKey(app, runtime);
  postQuery(app, runtime, queryTimeoutMs);
}
