import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList('hallo hoi dag hey ok oke nee ja bedankt sorry graag dus', [
    'alstublieft|alsjeblieft|aub|a u b',
    'goede(?:morgen|middag|navond)',
  ]),
  links: wordList('en maar dus want of'),
  closers: wordList('alstublieft alsjeblieft aub graag nu direct vandaag bedankt', ['zo snel mogelijk']),
};

const noun =
  '(?:mens|persoon|medewerk(?:er|ster)|collega|agent|adviseur|iemand|vertegenwoordiger|supportmedewerker|klantenservicemedewerker)';
const from = '(?: van (?:de |het |jullie |uw )?(?:klantenservice|support|team|helpdesk|supportteam))?';
const person = `(?:(?:een |de |jullie |uw )?(?:echte? |menselijke |levende |andere )*${noun}${from})`;
const anybody = `(?:${person}|(?:de |jullie |uw )?(?:klantenservice|helpdesk|support))`;
const softly = '(?: (?:graag|nu|direct|even|liever|alstublieft|alsjeblieft|gewoon|ook))*';
const talk = '(?:spreken|praten|chatten|bellen|doorverbonden worden|contact hebben)';

/** How a person is asked for in Dutch. */
export const personRequests: RequestForms = {
  requests: [
    `(?:ik|we|wij) (?:wil|willen|zou|zouden|moet|wens)${softly} (?:met )?${anybody}${softly} (?:willen )?${talk}`,
    `(?:hoe )?(?:kan|kunnen|mag|zou) (?:ik|we|wij)${softly} (?:met )?${anybody}${softly} ${talk}`,
    `is het mogelijk om${softly} met ${anybody}${softly} te (?:spreken|praten|chatten)`,
    `(?:kunt u|kun je|kan je|kunnen jullie) (?:mij|me)${softly} (?:met |aan )?${anybody}${softly} (?:doorverbinden|verbinden|geven)`,
    `(?:verbind|geef) (?:mij|me)${softly} (?:door )?(?:met |aan )?${anybody}(?: door)?`,
    `ik (?:wil|heb|zoek)${softly} (?:een )(?:echte? |menselijke )*(?:mens|persoon|medewerker)(?: nodig| spreken)?(?= *$| (?:,|graag|nu|die)(?: |$))`,
  ],
  tails: ['over|voor|want|omdat|die|en|of|niet|wegens'],
  bare: [
    `(?:met )${person}(?: (?:spreken|praten|chatten))?`,
    '(?:een )?(?:echte? |menselijke )*(?:mens|medewerker|persoon)(?: spreken)?',
  ],
};
