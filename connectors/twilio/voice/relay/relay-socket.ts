import type { PlatformSocket, SocketIntake, SocketTools } from '../../../../core/contract/listener.ts';
import { verifySignature } from '../../verify-signature.ts';
import type { VoiceAccount } from '../manifest.ts';
import { RelayLine } from './relay-line.ts';
import { readRelayMessage } from './relay-message.ts';
import { RelaySession } from './relay-session.ts';

const POLICY = 1_008;

/** Calls that ConversationRelay holds, a socket each. */
export const relaySocket: SocketIntake<VoiceAccount['credentials'], VoiceAccount['settings']> = {
  verify: (request, account) => verifySignature(request, account, { socket: true }),
  serve,
};

function serve(socket: PlatformSocket, account: VoiceAccount, tools: SocketTools): Promise<void> {
  const over = Promise.withResolvers<void>();
  const hearing = new Set<Promise<void>>();
  let session: RelaySession | null = null;
  socket.onMessage((text) => {
    const message = readRelayMessage(text);
    if (message?.type === 'setup') {
      if (message.accountSid !== null && message.accountSid !== account.credentials.account_sid)
        return socket.close(POLICY, 'the call is of another account');
      session ??= new RelaySession(message, { account, line: new RelayLine(socket), tools });
      return;
    }
    if (session === null) return socket.close(POLICY, 'what comes first is no setup');
    if (message === null)
      return tools.log.warn({}, 'ConversationRelay told something that is not understood');
    const heard = session.hear(message);
    hearing.add(heard);
    heard.then(() => hearing.delete(heard), over.reject);
  });
  /** What was made of an answer is stored before the conversation is over. */
  const leave = () => {
    session?.leave();
    Promise.all(hearing).then(() => over.resolve(), over.reject);
  };
  socket.onClose(leave);
  tools.signal.addEventListener('abort', leave);
  return over.promise;
}
