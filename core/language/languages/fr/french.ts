import type { LanguagePack } from '../../language-pack.ts';
import { contactRequests, contactWords } from './contacts.ts';
import { facts } from './facts.ts';
import { glossary } from './glossary.ts';
import { grammar } from './grammar.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const french: LanguagePack = {
  code: 'fr',
  name: 'French',
  script: 'latin',
  grammar,
  smallTalk,
  courtesies,
  personRequests,
  contactRequests,
  contactWords,
  ratings: {
    asking: `comment quoi quand où pourquoi quel quelle quels quelles qui peux peut pouvez pourriez puis veux
    voudrais besoin aide encore toujours est-ce commande`,
    openings: 'est sont avez',
    thanks: 'merci',
    degrees: 'et très tout beaucoup bien',
    opinions: 'bon bonne excellent excellente parfait parfaite génial rapide aimable sympa mauvais lent nul',
    units: 'sur 5|étoiles|étoile|point|points',
  },
  glossary,
  facts,
  texts,
};
