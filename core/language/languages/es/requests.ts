import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList(
    'hola buenas ok vale bien por favor porfavor porfa si gracias disculpe disculpa perdon entonces ya',
    ['buen(?:os|as) (?:dias|tardes|noches)', 'eso no (?:me )?(?:ayuda|sirve)'],
  ),
  links: wordList('y pero porque asi o sino entonces'),
  closers: wordList('porfavor porfa ya ahora gracias urgente urgentemente hoy mejor aqui', [
    'por favor',
    'de una vez',
    'lo antes posible',
    'ahora mismo',
  ]),
};

const noun =
  '(?:persona|humano|humana|ser humano|agente|asesora?|operadora?|representante|empleado|empleada|ejecutiv[oa]|encargad[oa]|tecnico|comercial|responsable|supervisora?|gerente|companer[oa]|miembro del equipo)';
const kind =
  '(?: (?:real|humano|humana|fisica|viva|de verdad|de carne y hueso|en vivo|tecnico|de (?:soporte|ventas|atencion(?: al cliente)?|servicio(?: al cliente)?)|de(?:l| su| vuestro| tu) (?:equipo|soporte)(?: de \\p{L}+)?))*';
const one = `(?:(?:un|una|el|la|algun|alguna|otro|otra|su|tu|vuestro|uno de (?:sus|tus|vuestros)) )?${noun}s?${kind}`;
const someone = `alguien${kind}`;
const desk =
  '(?:(?:el|la|su|tu|vuestro|vuestra) )?(?:(?:servicio de )?atencion al cliente|servicio al cliente|(?:equipo de )?soporte(?: tecnico)?|equipo(?: de \\p{L}+)?)';
const anybody = `(?:${one}|${someone}|${desk})`;
const person = `(?:${one}|${someone})`;

const softly = '(?: (?:por favor|ya|ahora|mejor|directamente|solo|simplemente|tambien|aqui))*';
const talk =
  '(?:hablar|chatear|conversar|comunicarme|comunicarnos|contactar|contactarme|ponerme en contacto|conectarme|tratar|platicar)';
const wish =
  '(?:(?:yo )?(?:quiero|quisiera|querria|necesito|deseo|prefiero|preferiria|queremos|necesitamos|exijo|solicito|tengo que|debo|quiero poder)|(?:a mi )?me gustaria|nos gustaria|dejame|dejeme|permitame)';
const may =
  '(?:(?:como )?(?:puedo|podria|podemos|podriamos|se puede)|es posible|seria posible|hay (?:alguna )?(?:forma|manera) de)';

/** How a person is asked for in Spanish. */
export const personRequests: RequestForms = {
  requests: [
    `${wish}${softly} ${talk}${softly} con ${anybody}`,
    `${may}${softly} ${talk}${softly} con ${anybody}`,
    `${wish}${softly} (?:un|una) ${noun}${kind}(?= *$| (?:,|por favor|porfavor|ya|ahora|que|para|y)(?: |$))`,
    `${wish}${softly} que me (?:atienda|ayude|conteste|responda|llame|pasen? con|comuniquen? con|conecten? con|pongan? con|transfieran? (?:a|con)) ${anybody}`,
    `(?:me )?(?:puedes?|podrias?|pueden|podrian|puede usted|podria usted)${softly} (?:me )?(?:pasar(?:me)?|comunicar(?:me)?|conectar(?:me)?|poner(?:me)?(?: en contacto)?|transferir(?:me)?|derivar(?:me)?)${softly} (?:con|a) ${anybody}`,
    `(?:pas[ae]me|pasenme|conect[ae]me|comuniqueme|comunicame|pon(?:ga)?me(?: en contacto)?|transfier[ae]me|deriv[ae]me|comuniquenme)${softly} (?:con|a) ${anybody}`,
    `(?:dame|deme|denme|necesito a|quiero a) (?:un|una) ${noun}${kind}`,
    `(?:me )?(?:puede|podria)${softly} (?:atender(?:me)?|ayudar(?:me)?) (?:una persona|un humano|un agente|alguien del equipo)${kind}`,
    `hay (?:${person}) (?:con quien (?:pueda|puedo) hablar|(?:ahi|aqui|disponible)|que (?:me )?pueda (?:ayudar|atender)(?:me)?)`,
  ],
  tails: [
    'sobre|acerca|respecto|para|que|porque|de (?!mi |nuestr)|por|y|o|pero|no|en (?:vez|lugar|espanol|ingles|persona)|del',
  ],
  bare: [
    `(?:${talk} )?(?:con )(?:${anybody})`,
    `(?:un |una )?(?:persona|humano|humana|ser humano|agente|asesora?|operadora?|representante)${kind}`,
    '(?:atencion al cliente|soporte|servicio al cliente) por favor',
  ],
};
