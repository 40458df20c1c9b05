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
  texts,
};
