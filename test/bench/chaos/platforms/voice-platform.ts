import { voiceTexts } from '../../../../connectors/twilio/voice/voice-texts.ts';
import { PhoneCall } from '../../../helpers/platforms/twilio/phone-call.ts';
import { untilTaken } from '../until-taken.ts';
import type { ChatPlatform } from './chat-platform.ts';

const authToken = 'the-auth-token-of-the-benchmark';
const language = 'en-US';
/** After this number of questions the caller hangs up and calls again. */
const questionsPerCall = 3;

interface Caller {
  call: PhoneCall | null;
  calls: number;
  /** Resolves when the caller has heard the whole answer and speaks again. */
  listening: Promise<void>;
}

/** The telephone network as Twilio carries it: each chat is a caller, who asks one question after the other. */
export async function startVoicePlatform(): Promise<ChatPlatform> {
  const sent = new Map<number, readonly string[]>();
  const callers = new Map<number, Caller>();
  const line = { webhookUrl: '' };
  const state = { lost: 0 };
  const { lost, tooLong } = voiceTexts(language);
  const callerOf = (chat: number): Caller => {
    const caller = callers.get(chat) ?? { call: null, calls: 0, listening: Promise.resolve() };
    callers.set(chat, caller);
    return caller;
  };
  const dial = async (chat: number, caller: Caller): Promise<PhoneCall> => {
    caller.calls += 1;
    const { webhookUrl } = line;
    const { origin: address } = new URL(webhookUrl);
    const fields = { From: `+1555${String(chat).padStart(7, '0')}` };
    const call = new PhoneCall(`CA${chat}x${caller.calls}x`, {
      address,
      webhookUrl,
      authToken,
      fields,
      fetch: patientFetch,
    });
    await call.begin();
    return call;
  };
  const listen = async (chat: number, saying: Promise<string>): Promise<void> => {
    const said = await saying;
    if (said.includes(lost) || said.includes(tooLong)) state.lost += 1;
    sent.set(chat, [...(sent.get(chat) ?? []), said]);
  };
  return {
    channel: {
      channel: 'voice',
      credentials: { account_sid: `AC${'0'.repeat(32)}`, auth_token: authToken },
      settings: { from: '+15551234567', language, verify: false },
    },
    postTo: (webhookUrl) => {
      line.webhookUrl = webhookUrl;
    },
    sent,
    /** Answers that were reported as lost to the caller: their conversation contains them. */
    lostAnswers: () => state.lost,
    /** Resolves once the caller hears something: a word of patience, or the answer. */
    async tell({ chat, index, text }) {
      const caller = callerOf(chat);
      await caller.listening;
      const call = caller.call ?? (await dial(chat, caller));
      const first = await call.ask({ SpeechResult: text, Confidence: '0.91' });
      const hangUp = async () => {
        const isEnough = index % questionsPerCall === 0;
        if (isEnough && !call.isOver) await call.hangsUp();
        caller.call = isEnough || call.isOver ? null : call;
      };
      caller.listening = listen(chat, call.follow(first)).then(hangUp);
      return 1;
    },
    close: () => {},
  };
}

/**
 * Twilio gives up a call if the server is away for longer. This client waits, to see that nothing is stored or done
 * twice.
 */
const patientFetch: typeof fetch = async (...request) => {
  const { response, text } = await untilTaken(() => fetch(...request));
  return new Response(text, response);
};
