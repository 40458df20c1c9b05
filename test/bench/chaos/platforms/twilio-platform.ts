import { openTwilioPeer } from '../../../helpers/platforms/twilio/peer.ts';
import { untilTaken } from '../until-taken.ts';
import type { ChatPlatform } from './chat-platform.ts';

const firstNumber = 15_550_000_000;
const firstOfService = 15_559_000_000;
const typingPath = '/messaging/v2/Indicators/Typing.json';

/**
 * Twilio with one number, and the messages it was told to send: each chat is a telephone of its own. With `service`
 * each writes to another number of a messaging service, because carriers accept one SMS a second from a single
 * number.
 */
export async function startTwilioPlatform(
  channel: 'sms' | 'whatsapp',
  { service = false }: { readonly service?: boolean } = {},
): Promise<ChatPlatform> {
  const peer = await openTwilioPeer();
  const prefix = channel === 'whatsapp' ? 'whatsapp:' : '';
  const numberOf = (chat: number) => `${prefix}+${firstNumber + chat}`;
  const chatOf = (number: string) => Number(number.slice(prefix.length + 1)) - firstNumber;
  const chatOfMessage = new Map<string, number>();
  return {
    channel: {
      channel,
      credentials: { account_sid: peer.account.sid, auth_token: peer.account.token },
      settings: { from: service ? peer.service : peer.number, api_base_url: peer.url },
    },
    postTo: (webhookUrl) => peer.hookAt(webhookUrl),
    get sent() {
      const byChat = Map.groupBy(peer.sent, ({ to }) => chatOf(to));
      return new Map([...byChat].map(([chat, messages]) => [chat, messages.map(({ body }) => body)]));
    },
    get typing() {
      const shown = peer.calls.filter(({ path }) => path === typingPath);
      return new Map(shown.map(({ fields, at }) => [chatOfMessage.get(fields.messageId ?? '') ?? 0, at]));
    },
    lostAnswers: () => peer.lostAnswers(),
    /** Twilio itself retries once at most. This platform waits longer, to see that nothing is done twice. */
    async tell({ chat, index, text }) {
      const sid = `SM${(chat * 1_000 + index).toString(16).padStart(32, '0')}`;
      chatOfMessage.set(sid, chat);
      const fields = {
        MessageSid: sid,
        SmsSid: sid,
        From: numberOf(chat),
        To: `${prefix}${service ? `+${firstOfService + chat}` : peer.number}`,
        ...(service && { MessagingServiceSid: peer.service }),
        Body: text,
        NumMedia: '0',
      };
      return (await untilTaken(() => peer.tell(fields))).tries;
    },
    close: () => peer.close(),
  };
}
