import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList('merhaba selam selamlar gunaydin tamam peki evet lutfen tesekkurler pardon', [
    'iyi (?:gunler|aksamlar|calismalar)',
    'hayir(?= ,)',
    'o zaman',
    'bu (?:bana )?yardimci olm(?:uyor|adi)',
  ]),
  links: wordList('ve ama fakat cunku veya'),
  closers: wordList('lutfen hemen simdi acilen bugun tesekkurler artik', [
    'tesekkur ederim',
    'en kisa surede',
    'mumkunse',
  ]),
};

const kind = '(?:bir|yetkili|gercek|canli|baska|musteri|hizmetleri|destek|teknik)';
const withOne = `(?:(?:${kind} )*(?:insanla|insan ile|biriyle|biri ile|birisiyle|birisi ile|kisiyle|kisi ile|temsilci(?:niz|si)?(?:yle|le| ile)|yetkili(?:niz)?(?:yle|le| ile)|gorevliyle|danismanla|danisman ile|operatorle|operator ile|calisan(?:iniz)?la|uzmanla|ekibinizle|ekibiyle)|musteri hizmetleri(?:yle|niz(?:le)?| ile)|canli destek(?:le| ile))`;
const toOne = `(?:(?:${kind} )*(?:insana|birine|birisine|kisiye|temsilci(?:niz|si)?(?:y|n)?e|yetkili(?:niz)?y?e|gorevliye|danismana|operatore|ekibinize|ekibine)|musteri hizmetlerine|canli destege)`;
const about = '(?:(?:[\\p{L}\\p{N}]+ ){1,6}(?:hakkinda|konusunda|icin|ile ilgili) )?';
const softly = '(?: (?:lutfen|hemen|simdi|direkt|dogrudan|artik|sadece|acilen))*';
const talk = '(?:konusmak|gorusmek|yazismak|sohbet etmek|iletisime gecmek|irtibata gecmek)';
const wish = '(?:istiyorum|istiyoruz|isterim|isterdim|istemistim|zorundayim|lazim|gerekiyor)';

/** How a person is asked for in Turkish. */
export const personRequests: RequestForms = {
  requests: [
    `(?:ben )?${about}${withOne}${softly} ${talk} (?:${wish}|mumkun mu)`,
    `(?:ben )?${about}${withOne}${softly} (?:konusabilir|gorusebilir|yazisabilir|sohbet edebilir) (?:miyim|miyiz)`,
    `(?:benim )?${about}${withOne}${softly} (?:konusmam|gorusmem) (?:mumkun mu|lazim|gerek|gerekiyor)`,
    `(?:(?:beni|bizi)${softly} )?${toOne}${softly} (?:bagla(?:yin|yiniz|r misin|r misiniz|yabilir misin|yabilir misiniz)?|aktar(?:in|iniz|ir misin|ir misiniz|abilir misiniz)?|yonlendir(?:in|iniz|ir misin|ir misiniz|ebilir misiniz)?)`,
    `${toOne}${softly} (?:baglanmak|aktarilmak|yonlendirilmek) (?:${wish})`,
    `bana${softly} (?:${kind} )*(?:insan|temsilci|yetkili|operator) (?:lazim|gerek|gerekiyor)`,
    `(?:ben )?(?:${kind} )*(?:insan|temsilci|temsilcisi|yetkili|operator) istiyorum(?= *$| ,)`,
  ],
  tails: ['cunku|ama|ve|yoksa|botla|bot'],
  bare: [
    `${withOne}(?: ${talk})?`,
    `(?:${kind} )*(?:insan|temsilci|temsilcisi|yetkili|operator)`,
    'canli destek|musteri hizmetleri',
  ],
};
