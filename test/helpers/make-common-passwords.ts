import { readFileSync, writeFileSync } from 'node:fs';
import { FILTER_BYTES, filterPlaces, toPlainForm } from '../../core/members/guesses/common-passwords.ts';

/**
 * Writes the filter of common passwords: `node test/helpers/make-common-passwords.ts LIST`. The list has one password a line, the
 * most common first. `core/members/guesses/README.md` names the one that was used.
 */
const WORDS = 10_000;
const MIN_LENGTH = 12;

/** Words to which people add a year, and which lists of English passwords rank low. */
const words =
  `parley password passwort kennwort welcome willkommen geheim hallo changeme letmein admin administrator login qwertz
spring summer autumn winter fruehling frühling sommer herbst january february march april june july august september october
november december januar februar maerz märz juni juli oktober dezember monday tuesday wednesday thursday friday saturday sunday
montag dienstag mittwoch donnerstag freitag samstag sonntag company firma support service customer chatbot dashboard
unbelievable correcthorsebatterystaple iloveyou schatz fussball fußball`.split(/\s+/);

const [, , source = ''] = process.argv;
const listed = readFileSync(source, 'utf8').split('\n').filter(Boolean);
const long = listed.filter((password) => password.length >= MIN_LENGTH);
const forms = new Set([...words, ...long, ...listed].map(toPlainForm).filter((form) => form.length >= 4));
const chosen = [...forms].slice(0, WORDS);
const filter = new Uint8Array(FILTER_BYTES);
for (const place of chosen.flatMap(filterPlaces)) {
  filter[place >> 3] = (filter[place >> 3] ?? 0) | (1 << (place & 7));
}
writeFileSync(new URL('../../core/members/guesses/common-passwords.bin', import.meta.url), filter);
process.stdout.write(`${chosen.length} words, ${long.length} of them long ones as they are\n`);
