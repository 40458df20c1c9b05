import type { HttpAnswer } from '../../../../core/contract/webhook.ts';
import { addressFor } from '../call-state.ts';
import { greetingOf } from '../greeting-of.ts';
import type { VoiceAccount } from '../manifest.ts';
import { twimlAnswer } from '../twiml-answer.ts';

/** Hands a call to ConversationRelay, which comes back to us over a socket. */
export function connectRelay(account: VoiceAccount): HttpAnswer {
  const { language, voice, hints } = account.settings;
  const url = (account.webhookUrl ?? '').replace(/#.*$/s, '').replace(/^http/, 'ws');
  return twimlAnswer((response) => {
    const connect = response.connect({ action: addressFor(account, { step: 'relayed' }), method: 'POST' });
    connect.conversationRelay({
      url,
      welcomeGreeting: greetingOf(account),
      welcomeGreetingInterruptible: 'any',
      language,
      interruptible: 'any',
      preemptible: false,
      dtmfDetection: true,
      ...(voice !== undefined && { voice }),
      ...(hints !== undefined && { hints }),
    });
  });
}
