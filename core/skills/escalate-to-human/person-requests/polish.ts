import { courtesies } from '../../courtesies.ts';
import type { RequestGrammar } from '../../request-grammar.ts';

const kind =
  '(?:zywy[mt]?|zywej|zywego|zywa|prawdziw(?:ym|ego|ej|a|y)|inn(?:ym|ego|ej|a)|ludzkim|jakims|jakas)';
/** Whom one talks with, and whom one wants. */
const noun =
  '(?:czlowiek(?:iem)?|osoba|konsultant(?:em|ka)|pracownik(?:iem)?|pracownica|doradca|agent(?:em|ka)|operator(?:em|ka)|przedstawiciel(?:em|ka)|kierownik(?:iem)?|specjalista)';
const wanted =
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
export const polish: RequestGrammar = {
  ...courtesies.pl,
  requests: [
    `(?:chce|chcemy|chcialbym|chcialabym|chcielibysmy|wole|wolalbym|wolalabym|musze|potrzebuje)${softly} (?:${talk}|${reach})${softly} (?:z|ze) ${anybody}`,
    `(?:czy )?(?:moge|mozna|moglbym|moglabym|da sie|jest mozliwosc|czy mozliwe jest)${softly} (?:${talk} (?:z|ze) ${anybody}|${reach} (?:z|ze) ${person})`,
    `(?:czy )?(?:jest|bylaby) mozliwosc (?:rozmowy|kontaktu) (?:z|ze) ${person}`,
    `(?:potrzebuje|chce)${softly} (?:pomocy|rozmowy z|kontaktu z) (?:${kind} )*(?:czlowieka|czlowiekiem)`,
    `(?:po)?prosze${softly} (?:(?:o )?(?:polaczenie|przelaczenie|przekierowanie)|(?:mnie )?(?:polaczyc|przelaczyc|przekierowac)(?: mnie)?|o (?:rozmowe|kontakt)) (?:z|ze|do) (?:${anybody}|${wanted})`,
    `(?:polacz|polaczcie|przelacz|przelaczcie|przekieruj|przekierujcie)${softly} mnie${softly} (?:z|ze|do) (?:${anybody}|${wanted})`,
    `(?:czy )?(?:moze|mozesz|mozecie|moglbys|moglabys|moglby|moglaby)(?: (?:mnie|pan|pani|panstwo|prosze))+ (?:polaczyc|przelaczyc|przekierowac) (?:z|ze|do) (?:${anybody}|${wanted})`,
    `(?:chce|potrzebuje|poprosze|dajcie mi|daj mi|zadam)${softly} (?:${kind} )*${wanted}${from}(?= *$| (?:,|prosze|teraz|nie|a|i|zamiast)(?: |$))`,
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
