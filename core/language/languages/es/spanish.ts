import type { LanguagePack } from '../../language-pack.ts';
import { contactRequests, contactWords } from './contacts.ts';
import { facts } from './facts.ts';
import { glossary } from './glossary.ts';
import { grammar } from './grammar.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const spanish: LanguagePack = {
  code: 'es',
  name: 'Spanish',
  script: 'latin',
  grammar,
  smallTalk,
  courtesies,
  personRequests,
  contactRequests,
  contactWords,
  ratings: {
    asking: `cómo como qué que cuándo cuando dónde donde cuál cual quién quien puede puedo pueden podría quiero
    necesito favor ayuda todavía aún pedido`,
    openings: 'es son hay tiene está están',
    thanks: 'gracias',
    degrees: 'y muy muchas mil todo',
    opinions: `bueno buena excelente perfecto perfecta genial rápido rápida amable malo mala lento lenta pésimo
    terrible`,
    units: 'de 5|puntos|estrellas|estrella',
  },
  glossary,
  facts,
  texts,
};
