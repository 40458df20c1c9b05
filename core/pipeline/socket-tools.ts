import { noteHeard } from '../channels/note-heard.ts';
import type { OpenedAccount } from '../channels/opened-account.ts';
import type { SocketTools } from '../contract/socket-intake.ts';
import { cutAnswer } from '../conversations/cut-answer.ts';
import type { Runtime } from '../runtime.ts';
import { askLive } from './ask-live.ts';
import { findAccountIn } from './find-account.ts';

/** What a connector speaks over a socket with, until `signal` is aborted. */
export function socketTools(runtime: Runtime, account: OpenedAccount, signal: AbortSignal): SocketTools {
  const dependencies = { ...runtime, findAccount: findAccountIn(runtime), signal };
  const { id: channelId, workspaceId } = account;
  return {
    ...runtime.connectorCalls.tools(account, signal),
    ask: (delivery, hearing) => {
      noteHeard(runtime, channelId);
      return askLive(dependencies, account, delivery, hearing);
    },
    cut: (messageId, heard) => cutAnswer(runtime.database.kysely, { workspaceId, messageId, heard }),
  };
}
