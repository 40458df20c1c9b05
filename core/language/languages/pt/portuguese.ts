import type { LanguagePack } from '../../language-pack.ts';
import { grammar } from './grammar.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const portuguese: LanguagePack = {
  code: 'pt',
  name: 'Portuguese',
  script: 'latin',
  grammar,
  smallTalk,
  courtesies,
  personRequests,
  contactWords: {
    refusals: 'nao|deixa(?: pra la)?|nao quero|prefiro nao',
    nameCues: { sure: '(?:eu )?me chamo|chamo-me|(?:o )?meu nome [eé]|nome ?:', likely: 'sou' },
    nameParticles: 'do|dos',
    notNames: 'sim nao obrigado obrigada ola preco ajuda',
    own: 'meu|minha',
    phone: '\\bligar|\\bligue|telemovel',
    numberOwner: 'meu',
    numberNoun: 'numero',
  },
  ratings: {
    asking: 'onde porquê qual quem pode posso podem poderia gostaria quero preciso ajuda ainda encomenda',
    openings: 'há tem é são',
    thanks: 'obrigado obrigada',
    degrees: 'muito',
    opinions: 'bom boa ótimo ótima ótima excelente perfeito rápido simpático mau má péssimo',
    units: 'de 5|pontos|estrelas|estrela',
  },
  texts,
};
