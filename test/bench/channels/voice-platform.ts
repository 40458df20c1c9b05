import { PhoneCall } from '../../helpers/phone-call.ts';
import type { ChatPlatform } from '../chaos/chat-platform.ts';

const authToken = 'the-auth-token-of-the-benchmark';

/** The telephone as Twilio carries it: each message is a call of its own, in which one question is asked. */
export async function startVoicePlatform(): Promise<ChatPlatform> {
  const sent = new Map<number, readonly string[]>();
  const line = { webhookUrl: '' };
  return {
    channel: {
      channel: 'voice',
      credentials: { account_sid: `AC${'0'.repeat(32)}`, auth_token: authToken },
      settings: { from: '+15551234567', verify: false },
    },
    postTo: (webhookUrl) => {
      line.webhookUrl = webhookUrl;
    },
    sent,
    lostAnswers: () => 0,
    /** Over once the caller hears something: a word of patience, or the answer. */
    async tell({ chat, index, text }) {
      const { webhookUrl } = line;
      const fields = { From: `+1555${String(chat).padStart(7, '0')}` };
      const { origin: address } = new URL(webhookUrl);
      const call = new PhoneCall(`CA${chat}x${index}x`, { address, webhookUrl, authToken, fields });
      await call.begin();
      const first = await call.ask({ SpeechResult: text, Confidence: '0.91' });
      call.follow(first).then(
        (said) => sent.set(chat, [...(sent.get(chat) ?? []), said]),
        () => {
          // Whoever waits for the answer says that there was none.
        },
      );
      return 1;
    },
    close: () => {},
  };
}
