import type { RequestGrammar } from './request-matcher.ts';

/** Polite words around a request, by language, in the form that `normaliseSpeech` returns. */
export const courtesies: Readonly<
  Record<
    'en' | 'de' | 'es' | 'fr' | 'it' | 'pt' | 'nl' | 'pl' | 'tr' | 'ar' | 'ja' | 'zh',
    Pick<RequestGrammar, 'openers' | 'links' | 'closers'>
  >
> = {
  en: {
    openers: words(
      'hi hey hello there ok okay please pls plz well then so nope yes thanks sorry just now right',
      [
        'good (?:morning|afternoon|evening|day)',
        'thank you',
        'excuse me',
        'no(?= ,| i )',
        'in that case',
        "(?:this|that) (?:is|does)(?:n't| not) help(?:ful|ing)?(?: me)?",
        'i (?:said|repeat)',
      ],
    ),
    links: words('and but so because or otherwise instead'),
    closers: words('please pls plz now asap thanks immediately instead here today urgently again', [
      'right (?:now|away)',
      'thank you',
      'for once',
      'at last',
    ]),
  },
  de: {
    openers: words(
      'hallo hi hey moin servus bitte ok okay also nein ja gut danke dann so sorry entschuldigung',
      ['guten (?:tag|morgen|abend)', 'gruss gott', 'das hilft (?:mir )?nicht(?: weiter)?'],
    ),
    links: words('und aber sondern also deshalb oder sonst'),
    closers: words('bitte jetzt sofort danke dringend endlich heute gerne gern mal hier lieber', [
      'vielen dank',
      'so bald wie moglich',
    ]),
  },
  es: {
    openers: words(
      'hola buenas ok vale bien por favor porfavor porfa si gracias disculpe disculpa perdon entonces ya',
      ['buen(?:os|as) (?:dias|tardes|noches)', 'eso no (?:me )?(?:ayuda|sirve)'],
    ),
    links: words('y pero porque asi o sino entonces'),
    closers: words('porfavor porfa ya ahora gracias urgente urgentemente hoy mejor aqui', [
      'por favor',
      'de una vez',
      'lo antes posible',
      'ahora mismo',
    ]),
  },
  fr: {
    openers: words("bonjour bonsoir salut ok bon non oui merci svp stp pardon alors desole d'accord", [
      "s'il (?:vous|te) plait",
      '(?:excusez|excuse) moi',
      "(?:ca|cela) ne m'aide pas",
    ]),
    links: words('et mais donc car ou sinon alors'),
    closers: words("svp stp merci maintenant vite urgent immediatement ici aujourd'hui plutot", [
      "s'il (?:vous|te) plait",
      'tout de suite',
      'des que possible',
    ]),
  },
  it: {
    openers: words('ciao salve buongiorno buonasera ok no si grazie scusi scusa allora', [
      'per (?:favore|cortesia|piacere)',
    ]),
    links: words('e ma quindi o perche'),
    closers: words('grazie subito adesso ora oggi', [
      'per (?:favore|cortesia|piacere)',
      'il prima possibile',
    ]),
  },
  pt: {
    openers: words('ola oi ok bem sim obrigado obrigada desculpe entao', [
      'por favor',
      'b(?:om|oa) (?:dia|tarde|noite)',
      'nao(?= ,)',
    ]),
    links: words('e mas porque ou entao'),
    closers: words('agora ja hoje urgente obrigado obrigada', ['por favor', 'o mais rapido possivel']),
  },
  nl: {
    openers: words('hallo hoi dag hey ok oke nee ja bedankt sorry graag dus', [
      'alstublieft|alsjeblieft|aub|a u b',
      'goede(?:morgen|middag|navond)',
    ]),
    links: words('en maar dus want of'),
    closers: words('alstublieft alsjeblieft aub graag nu direct vandaag bedankt', ['zo snel mogelijk']),
  },
  pl: {
    openers: words(
      'czesc hej witam witaj ok okej dobrze prosze poprosze tak dziekuje dzieki przepraszam no wiec',
      ['dzien dobry', 'dobry wieczor', 'nie(?= ,)', 'to (?:mi )?nie pomaga'],
    ),
    links: words('i a ale bo wiec albo lub'),
    closers: words('prosze teraz natychmiast pilnie dzisiaj dzis juz dziekuje dzieki', ['jak najszybciej']),
  },
  tr: {
    openers: words('merhaba selam selamlar gunaydin tamam peki evet lutfen tesekkurler pardon', [
      'iyi (?:gunler|aksamlar|calismalar)',
      'hayir(?= ,)',
      'o zaman',
      'bu (?:bana )?yardimci olm(?:uyor|adi)',
    ]),
    links: words('ve ama fakat cunku veya'),
    closers: words('lutfen hemen simdi acilen bugun tesekkurler artik', [
      'tesekkur ederim',
      'en kisa surede',
      'mumkunse',
    ]),
  },
  ar: {
    openers: words('مرحبا اهلا سلام حسنا نعم طيب شكرا عفوا رجاء', [
      'السلام عليكم',
      '(?:صباح|مساء) الخير',
      'من فضلكم?',
      'لو سمحتم?',
      'لا(?= ,)',
      'هذا لا (?:يساعدني|يفيدني)',
    ]),
    links: words('و لكن ولكن او لان'),
    closers: words('الان حالا فورا اليوم رجاء شكرا', [
      'من فضلكم?',
      'لو سمحتم?',
      'شكرا لكم?',
      'في اسرع وقت',
      'باسرع وقت',
    ]),
  },
  ja: {
    openers: words('こんにちは こんばんは おはようございます はい いいえ すみません すいません お願いします'),
    links: words('でも しかし だから なので'),
    closers: words('お願いします お願いいたします ありがとう ありがとうございます 至急 今すぐ'),
  },
  zh: {
    openers: words('你好 您好 请 請 好的 好 谢谢 謝謝 麻烦 麻煩 不好意思'),
    links: words('但是 所以 因为 因為 还是 還是'),
    closers: words('谢谢 謝謝 拜托 拜託 马上 馬上 现在 現在 尽快 盡快 麻烦了 麻煩了'),
  },
};

function words(list: string, phrases: readonly string[] = []): readonly string[] {
  return [...phrases, ...list.split(' ')];
}
