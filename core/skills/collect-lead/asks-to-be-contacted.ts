import { plainSpeech } from '../plain-speech.ts';
import { requestMatcher } from '../request-matcher.ts';
import { english } from './contact-requests/english.ts';
import { french } from './contact-requests/french.ts';
import { german } from './contact-requests/german.ts';
import { spanish } from './contact-requests/spanish.ts';

const isRequest = requestMatcher([english, german, spanish, french]);
/** Words of those who build something of which the request only seems to speak. */
const TECHNICAL =
  /(?<!\p{L})(?:api|webhooks?|endpoints?|functions?|urls?|sdk|code|curl|json|widgets?|parameters?|funktion|schnittstelle|parametros?|fonction)(?!\p{L})/u;

/** Whether the visitor wants to be called, written to or sent an offer himself. */
export function asksToBeContacted(words: string): boolean {
  return plainSpeech(words).some((sentence) => isRequest(sentence) && !TECHNICAL.test(sentence));
}
