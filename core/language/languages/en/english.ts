import type { LanguagePack } from '../../language-pack.ts';
import { contactRequests, contactWords } from './contacts.ts';
import { facts } from './facts.ts';
import { grammar } from './grammar.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const english = {
  code: 'en',
  name: 'English',
  script: 'latin',
  grammar,
  facts,
  smallTalk,
  courtesies,
  personRequests,
  contactRequests,
  contactWords,
  ratings: {
    asking: `how what when where why which who whom whose can could may shall please need want wants help still again
    order orders refund return cancel send call`,
    openings: 'is are am was were do does did have has had will would should any',
    thanks: 'thanks thank thx ty cheers',
    degrees: 'you so very much many a lot and service support really quite too extremely',
    opinions: `good great excellent perfect nice super awesome amazing wonderful fantastic brilliant helpful quick fast
    friendly kind best top ok okay fine bad poor slow rude terrible awful horrible useless worst
    disappointing disappointed happy satisfied`,
    units: 'out of 5|of 5|points|point|stars|star',
  },
  texts,
} satisfies LanguagePack;
