import type { Runtime } from '../../core/runtime.ts';
import type { Drain } from '../drain.ts';
import { admitKey } from '../plugins/admit-key.ts';
import { answerOnce } from '../plugins/answer-once.ts';
import { countMessage } from '../plugins/count-message.ts';
import type { TypedApp } from '../typed-app.ts';
import { conversations } from './conversations/conversations.ts';
import { postQuery } from './query/post-query.ts';
import { postQueryStream } from './query-stream/post-query-stream.ts';

export interface V1Options {
  /** After so long a query is given up. */
  readonly queryTimeoutMs: number;
  /** After so long a streamed answer is cut off. */
  readonly streamTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly drain: Drain;
}

/** What integrators call with an API key. */
export function v1(app: TypedApp, runtime: Runtime, options: V1Options): void {
  admitKey(app, runtime, options.queryTimeoutMs);
  answerOnce(app, runtime);
  countMessage(app, runtime);
  postQuery(app, runtime, options.queryTimeoutMs);
  postQueryStream(app, runtime, { ...options, timeoutMs: options.streamTimeoutMs });
  conversations(app, runtime);
}
