import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const italian: LanguagePack = {
  code: 'it',
  name: 'Italian',
  script: 'latin',
  grammar,
  smallTalk,
  courtesies,
  personRequests,
  contactWords: {
    refusals: 'lascia stare|non importa|non voglio|preferisco di no',
    nameCues: { sure: 'mi chiamo|il mio nome [eè]', likely: 'sono' },
    nameParticles: 'da|di',
    notNames: 'grazie ciao sono io prezzo aiuto',
    own: 'mio|mia',
    phone: 'chiam|cellulare',
    numberOwner: 'mio',
    numberNoun: 'numero',
  },
  ratings: {
    asking: `come cosa quando dove perché quale quali chi posso può potete potrebbe vorrei voglio bisogno aiuto
    ancora ordine`,
    openings: 'è sono ha',
    thanks: 'grazie',
    degrees: 'e molto mille tante tutto',
    opinions: `buono buona ottimo ottima eccellente perfetto perfetta veloce gentile gentilissimi cattivo lento pessimo`,
    units: 'su 5|punti|stelle|stella',
  },
  texts,
};
