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
    stopWords: `من ما ماذا متى أين كيف لماذا هل كم أي أية هو هي كان كانت يمكن يمكنني في على إلى عن مع التي
    الذي`,
  },
  smallTalk,
  courtesies,
  personRequests,
  contactWords: { nameParticles: 'al|bin|ibn' },
  ratings: {
    asking: 'كيف ماذا ما متى أين لماذا أي من هل كم يمكن يمكنني أريد احتاج أحتاج فضلك مساعدة بعد زال طلب',
    openings: 'هل أ ما',
    thanks: 'شكرا شكرًا شكراً',
    degrees: 'جدا جدًا جزيلا جزيلًا لك لكم',
    opinions: 'جيد ممتاز رائع سريع سيئ بطيء',
    units: 'من 5|نجوم|نجمات|نجمة',
  },
  texts,
};
