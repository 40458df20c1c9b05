import type { LanguagePack } from '../../language-pack.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const polish: LanguagePack = {
  code: 'pl',
  name: 'Polish',
  script: 'latin',
  grammar: {
    stopWords: `kto kogo komu co czego kiedy gdzie skąd jak dlaczego czemu który która które którym ile czy
    mogę może można jest są był była było były mój moja moje się i w na do z o za od dla`,
    openers: ['oczywiście', 'jasne', 'dobre pytanie'],
    missingPage: 'nie znaleziono',
  },
  smallTalk,
  courtesies,
  personRequests,
  ratings: {
    asking: `jak co kiedy gdzie dlaczego który która które kto czy mogę może możecie chcę chciałbym chciałabym
    potrzebuję proszę pomoc jeszcze zamówienie`,
    openings: 'czy jest są ma',
    thanks: 'dziękuję dziekuje dziękujemy dzięki dzieki',
    degrees: 'i bardzo wszystko',
    opinions: 'dobrze dobry dobra świetnie świetna super szybko miło doskonale źle słabo wolno',
    units: 'z 5|na 5|punktów|gwiazdek|gwiazdki|gwiazdka',
  },
  texts,
};
