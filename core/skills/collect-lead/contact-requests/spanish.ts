import { courtesies } from '../../courtesies.ts';
import type { RequestGrammar } from '../../request-grammar.ts';

const softly = '(?: (?:por favor|ya|hoy|manana|ahora|tambien))*';
const call = '(?:llamar|contactar|escribir|telefonear|devolver la llamada)';
const offer =
  '(?:(?:un|una|su|el|la) )?(?:presupuesto|cotizacion|oferta|demo|demostracion|propuesta|llamada|asesoria)(?: (?:gratuita|gratis|personalizad[oa]|comercial|de vuelta))*';
const wish =
  '(?:(?:quiero|quisiera|querria|necesito|deseo|queremos|necesitamos|solicito)|(?:me|nos) gustaria)';

/** How one asks in Spanish to be called, written to or sent an offer. */
export const spanish: RequestGrammar = {
  ...courtesies.es,
  requests: [
    `(?:me |nos )?(?:pueden?|podrian?|puedes|podrias)(?: (?:usted|ustedes|alguien))?${softly} (?:me |nos )?(?:${call}(?:me|nos)|devolverme la llamada|ponerse en contacto conmigo)`,
    `(?:me|nos) (?:pueden?|podrian?|puedes|podrias)(?: (?:usted|ustedes|alguien))?${softly} ${call}`,
    `(?:puede|podria) alguien${softly} (?:${call}(?:me|nos)|ponerse en contacto conmigo)`,
    '(?:llam[ae]n?(?:me|nos)|contact[ae]n?(?:me|nos)|escrib[ae]n?(?:me|nos)|escribeme)',
    '(?:pongase|ponganse|ponte) en contacto con(?:migo| nosotros)',
    `${wish}${softly} que (?:me|nos) (?:llamen?|contacten?|escriban?|devuelvan la llamada)`,
    `${wish}${softly} (?:recibir |pedir |solicitar |obtener |tener |agendar |reservar |ver )?${offer}`,
    `(?:me |nos )?(?:pueden?|podrian?|puedes|podrias)${softly} (?:enviar|mandar|hacer|preparar|dar)(?:me|nos)? ${offer}`,
    `(?:puedo|podria|podemos)${softly} (?:recibir|pedir|solicitar|obtener|tener|agendar|reservar) ${offer}`,
    `(?:envien?|manden?|envia|manda|hagan)(?:me|nos) ${offer}`,
  ],
  tails: [
    'para|de|al?|en|por|sobre|con|manana|hoy|cuando puedan|lo|y|si es posible|mi|mailaddress|\\+?\\p{N}+|esta|despues',
  ],
  bare: [
    `${offer} por favor`,
    '(?:solicitar|pedir|agendar) (?:un |una )?(?:demo|demostracion|presupuesto|cotizacion|llamada)',
  ],
};
