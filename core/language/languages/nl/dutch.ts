import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const dutch: LanguagePack = {
  code: 'nl',
  name: 'Dutch',
  script: 'latin',
  grammar,
  smallTalk,
  courtesies,
  personRequests,
  contactWords: {
    refusals: 'nee|laat maar|liever niet|hoeft niet',
    nameCues: { sure: 'mijn naam is|ik heet|naam ?:', likely: 'ik ben' },
    nameParticles: 'van|de[nr]?|ter|ten',
    notNames: 'nee bedankt ik prijs hulp klant',
    own: 'mijn|mij',
    phone: 'telefoon|\\bbel\\b',
    numberOwner: 'mijn',
    numberNoun: 'nummer',
  },
  ratings: {
    asking: `hoe wat wanneer waar waarom welk welke wie kan kunnen kunt mag zou wil nodig alstublieft graag hulp nog
    bestelling`,
    openings: 'is zijn heeft heb',
    thanks: 'bedankt dank',
    degrees: 'en heel erg alles je u wel hartelijk',
    opinions: 'goed prima uitstekend perfect snel vriendelijk slecht traag',
    units: 'van de 5|van 5|punten|sterren|ster',
  },
  texts,
};
