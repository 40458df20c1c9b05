import type { LanguagePack } from '../../language-pack.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const arabic: LanguagePack = {
  code: 'ar',
  name: 'Arabic',
  script: 'other',
  listSeparator: '؛ ',
  grammar: {
    stopWords: `من ما ماذا متى أين كيف لماذا هل كم أي أية هو هي كان كانت يمكن يمكنني في على إلى عن مع التي الذي`,
  },
  smallTalk,
  courtesies,
  personRequests,
  contactWords: { nameParticles: 'al|bin|ibn' },
  texts,
};
