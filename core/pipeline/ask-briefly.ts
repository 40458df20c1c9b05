import type { OpenedAccount } from '../channels/opened-account.ts';
import { ConnectorError } from '../contract/connector-error.ts';
import type { Tools } from '../contract/tools.ts';
import { within } from '../contract/within.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

interface Wish<Result> {
  ask(tools: Tools): Promise<Result>;
  /** For the log. */
  readonly failure: string;
}

/** Somebody waits for his answer meanwhile. */
const deadlineMs = 2_500;

/** What a platform tells that an answer can do without: null where it does not, or not soon. */
export async function askBriefly<Result>(
  { connectorCalls: calls, log }: Pick<PipelineDependencies, 'connectorCalls' | 'log'>,
  account: OpenedAccount,
  { ask, failure }: Wish<Result>,
): Promise<Result | null> {
  try {
    return await calls.call(account, (tools) =>
      within({ timeoutMs: deadlineMs, signal: tools.signal }, (signal) => ask({ ...tools, signal })),
    );
  } catch (err) {
    if (!(err instanceof ConnectorError)) throw err;
    log.warn({ err, channel: account.id }, failure);
    return null;
  }
}
