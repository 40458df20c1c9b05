import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList('ciao salve buongiorno buonasera ok no si grazie scusi scusa allora', [
    'per (?:favore|cortesia|piacere)',
  ]),
  links: wordList('e ma quindi o perche'),
  closers: wordList('grazie subito adesso ora oggi', [
    'per (?:favore|cortesia|piacere)',
    'il prima possibile',
  ]),
};

const kind =
  "(?: (?:reale|umano|umana|vero|vera|in carne ed ossa|del (?:supporto|servizio clienti)|dell'assistenza))*";
const noun =
  '(?:persona|umano|essere umano|operatore|operatrice|agente|consulente|addetto|responsabile|rappresentante)';
const person = `(?:(?:un |una |un'|l'|il |la |vostro |qualche )?(?:vero |vera )?${noun}${kind}|qualcuno)`;
const desk = "(?:(?:il |l'|la )?(?:servizio clienti|assistenza(?: clienti)?|supporto))";

/** How a person is asked for in Italian. */
export const personRequests: RequestForms = {
  requests: [
    `(?:(?:vorrei|voglio|desidero|preferirei|preferisco|devo|ho bisogno di)|(?:come )?(?:posso|potrei|possiamo)|(?:e|sarebbe) possibile|si puo)(?: per favore)? (?:parlare|chattare|comunicare|essere messo in contatto|mettermi in contatto) con (?:${person}|${desk})`,
    `(?:vorrei|voglio|mi serve|ho bisogno di) (?:un |una |un')(?:vero |vera )?${noun}${kind}(?= *$| (?:,|per|subito|che)(?: |$))`,
    `(?:mi )?(?:puo|puoi|potrebbe|potete)(?: per favore)? (?:mettermi in contatto|mettere in contatto|passarmi|passare|collegarmi|trasferirmi)(?: con| a)? ?${person}`,
    `(?:mi passi|passami|mi metta in contatto con|mettimi in contatto con) ${person}`,
  ],
  tails: ['per|su|sul|sulla|riguardo|che|perche|in|di|del|e|o|non|invece'],
  bare: [
    `(?:parlare )?con (?:${person}|${desk})`,
    `(?:un |una |un')?(?:umano|essere umano|operatore|persona (?:reale|vera)|vera persona|agente)${kind}`,
  ],
};
