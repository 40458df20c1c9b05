import type { RequestGrammar } from './request-grammar.ts';

/** What people put around a request, by language, in plain speech. */
export const courtesies: Readonly<
  Record<
    'en' | 'de' | 'es' | 'fr' | 'it' | 'pt' | 'nl',
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
};

function words(list: string, phrases: readonly string[] = []): readonly string[] {
  return [...phrases, ...list.split(' ')];
}
