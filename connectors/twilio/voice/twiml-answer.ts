import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import type { HttpAnswer } from '../../../core/contract/webhook.ts';

/** What Twilio is to do next, as its own library writes it: whatever is said in it is text there, and no markup. */
export function twimlAnswer(write: (response: VoiceResponse) => void): HttpAnswer {
  const response = new VoiceResponse();
  write(response);
  return { status: 200, contentType: 'text/xml; charset=utf-8', body: response.toString() };
}
