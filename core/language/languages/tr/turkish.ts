import type { LanguagePack } from '../../language-pack.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const turkish: LanguagePack = {
  code: 'tr',
  name: 'Turkish',
  script: 'latin',
  grammar: {
    stopWords: `kim kimin kime ne neyi neden niçin niye nasıl nerede nereden nereye hangi hangisi kaç kadar
    mı mi mu mü midir nedir miyim bir ve ile için bu da de`,
    openers: ['tabii', 'tabii ki', 'elbette', 'güzel soru'],
  },
  smallTalk,
  courtesies,
  personRequests,
  ratings: {
    asking: `nasıl ne neden niçin nerede hangi kim kaç mi mı mu mü istiyorum lazım lütfen yardım hala hâlâ henüz
    sipariş`,
    openings: 'var mı',
    thanks: 'teşekkürler teşekkür tesekkurler sağol sağolun',
    degrees: 've çok ederim',
    opinions: 'iyi harika mükemmel süper hızlı güzel kötü yavaş berbat',
    units: 'puan|yıldız',
  },
  texts,
};
