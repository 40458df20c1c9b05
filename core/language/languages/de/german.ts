import type { LanguagePack } from '../../language-pack.ts';
import { contactRequests, contactWords } from './contacts.ts';
import { facts } from './facts.ts';
import { glossary } from './glossary.ts';
import { grammar } from './grammar.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const german: LanguagePack = {
  code: 'de',
  name: 'German',
  script: 'latin',
  capitalisesNouns: true,
  grammar,
  smallTalk,
  courtesies,
  personRequests,
  contactRequests,
  contactWords,
  ratings: {
    asking: `wie wann wo warum wieso welche welcher welches wer wen wem wessen kann können könnte könnten darf dürfen
    würde würden soll sollte bitte brauche möchte will wollen hilfe noch nochmal bestellung rückgabe`,
    openings: 'ist sind war waren hat haben hast gibt was',
    thanks: 'danke dankeschön',
    degrees: 'und sehr ganz alles echt vielen besten herzlichen',
    opinions: `gut toll klasse ausgezeichnet perfekt nett freundlich schnell hilfreich wunderbar spitze hervorragend
    zufrieden schlecht langsam unfreundlich furchtbar schrecklich enttäuschend enttäuscht unzufrieden`,
    units: 'von 5|punkte|punkten|sternchen|sterne|stern|sternen',
  },
  glossary,
  facts,
  texts,
};
