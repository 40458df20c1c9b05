import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList(
    'czesc hej witam witaj ok okej dobrze prosze poprosze tak dziekuje dzieki przepraszam no wiec',
    ['dzien dobry', 'dobry wieczor', 'nie(?= ,)', 'to (?:mi )?nie pomaga'],
  ),
  links: wordList('i a ale bo wiec albo lub'),
  closers: wordList('prosze teraz natychmiast pilnie dzisiaj dzis juz dziekuje dzieki', ['jak najszybciej']),
};

const kind =
  '(?:zywy[mt]?|zywej|zywego|zywa|prawdziw(?:ym|ego|ej|a|y)|inn(?:ym|ego|ej|a)|ludzkim|jakims|jakas)';
/** Instrumental and nominative forms; the next constant has the genitive. */
const noun =
  '(?:czlowiek(?:iem)?|osoba|konsultant(?:em|ka)|pracownik(?:iem)?|pracownica|doradca|agent(?:em|ka)|operator(?:em|ka)|przedstawiciel(?:em|ka)|kierownik(?:iem)?|specjalista)';
const wantedPerson =
  '(?:czlowieka|osoby|konsultant(?:a|ki)|pracownika|doradc[ye]|agenta|operatora|przedstawiciela|kierownika)';
const from =
  '(?: (?:z )?(?:biura |dzialu |waszego |panstwa )?(?:obslugi(?: klienta)?|wsparcia(?: technicznego)?|zespolu|pomocy technicznej))?';
const person = `(?:(?:${kind} )*${noun}${from}|kims(?: (?:zywym|prawdziwym|innym))?${from})`;
const desk =
  '(?:(?:biurem|dzialem) obslugi(?: klienta)?|obsluga klienta|(?:wsparciem|pomoca)(?: techniczn(?:ym|a))?|infolinia|waszym zespolem)';
const anybody = `(?:${person}|${desk})`;
const softly = '(?: (?:prosze|teraz|od razu|po prostu|jednak|bezposrednio|juz))*';
const talk = '(?:porozmawiac|rozmawiac|pogadac|pomowic|pisac|byc polaczon[ya])';
const reach = '(?:skontaktowac sie|polaczyc sie)';

/** How a person is asked for in Polish. */
export const personRequests: RequestForms = {
  requests: [
    `(?:chce|chcemy|chcialbym|chcialabym|chcielibysmy|wole|wolalbym|wolalabym|musze|potrzebuje)${softly} (?:${talk}|${reach})${softly} (?:z|ze) ${anybody}`,
    `(?:czy )?(?:moge|mozna|moglbym|moglabym|da sie|jest mozliwosc|czy mozliwe jest)${softly} (?:${talk} (?:z|ze) ${anybody}|${reach} (?:z|ze) ${person})`,
    `(?:czy )?(?:jest|bylaby) mozliwosc (?:rozmowy|kontaktu) (?:z|ze) ${person}`,
    `(?:potrzebuje|chce)${softly} (?:pomocy|rozmowy z|kontaktu z) (?:${kind} )*(?:czlowieka|czlowiekiem)`,
    `(?:po)?prosze${softly} (?:(?:o )?(?:polaczenie|przelaczenie|przekierowanie)|(?:mnie )?(?:polaczyc|przelaczyc|przekierowac)(?: mnie)?|o (?:rozmowe|kontakt)) (?:z|ze|do) (?:${anybody}|${wantedPerson})`,
    `(?:polacz|polaczcie|przelacz|przelaczcie|przekieruj|przekierujcie)${softly} mnie${softly} (?:z|ze|do) (?:${anybody}|${wantedPerson})`,
    `(?:czy )?(?:moze|mozesz|mozecie|moglbys|moglabys|moglby|moglaby)(?: (?:mnie|pan|pani|panstwo|prosze))+ (?:polaczyc|przelaczyc|przekierowac) (?:z|ze|do) (?:${anybody}|${wantedPerson})`,
    `(?:chce|potrzebuje|poprosze|dajcie mi|daj mi|zadam)${softly} (?:${kind} )*${wantedPerson}${from}(?= *$| (?:,|prosze|teraz|nie|a|i|zamiast)(?: |$))`,
  ],
  tails: [
    'w sprawie|o|na temat|odnosnie|bo|poniewaz|gdyz|i|a|ale|nie|zamiast|ktory|ktora|telefonicznie|przez',
  ],
  bare: [
    `(?:porozmawiac |rozmawiac |rozmowa |kontakt )(?:z|ze) ${person}`,
    `(?:z|ze) (?:${kind} )*${noun}`,
    '(?:(?:zywy|prawdziwy) )?(?:czlowiek|konsultant|operator)|(?:(?:zywa|prawdziwa) )osoba',
  ],
};
