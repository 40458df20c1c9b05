import type { Runtime } from '../../core/runtime.ts';
import { admitKey } from '../plugins/admit-key.ts';
import { countMessage } from '../plugins/count-message.ts';
import type { TypedApp } from '../typed-app.ts';
import { conversations } from './conversations/conversations.ts';
import { postQuery } from './query/post-query.ts';

export interface V1Options {
  /** After so long a query is given up. */
  readonly queryTimeoutMs: number;
}

/** What integrators call with an API key. */
export function v1(app: TypedApp, runtime: Runtime, { queryTimeoutMs }: V1Options): void {
  admitKey(app, runtime);
  countMessage(app, runtime);
  postQuery(app, runtime, queryTimeoutMs);
  conversations(app, runtime);
}
