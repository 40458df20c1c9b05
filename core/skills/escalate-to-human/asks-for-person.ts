import { plainSpeech } from '../plain-speech.ts';
import { requestMatcher } from '../request-matcher.ts';
import { arabic } from './person-requests/arabic.ts';
import { chinese } from './person-requests/chinese.ts';
import { dutch } from './person-requests/dutch.ts';
import { english } from './person-requests/english.ts';
import { french } from './person-requests/french.ts';
import { german } from './person-requests/german.ts';
import { italian } from './person-requests/italian.ts';
import { japanese } from './person-requests/japanese.ts';
import { polish } from './person-requests/polish.ts';
import { portuguese } from './person-requests/portuguese.ts';
import { spanish } from './person-requests/spanish.ts';
import { turkish } from './person-requests/turkish.ts';

/** Every language is tried: short requests such as `agente humano` do not tell theirs. */
const isRequest = requestMatcher([
  english,
  german,
  spanish,
  french,
  italian,
  portuguese,
  dutch,
  polish,
  turkish,
  arabic,
  japanese,
  chinese,
]);

/** Whether the visitor's own words ask for a person to take over. */
export function asksForPerson(words: string): boolean {
  return plainSpeech(words).some(isRequest);
}
