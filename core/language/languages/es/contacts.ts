import type { ContactWords, RequestForms } from '../../requests.ts';

const softly = '(?: (?:por favor|ya|hoy|manana|ahora|tambien))*';
const call = '(?:llamar|contactar|escribir|telefonear|devolver la llamada)';
const offer =
  '(?:(?:un|una|su|el|la) )?(?:presupuesto|cotizacion|oferta|demo|demostracion|propuesta|llamada|asesoria)(?: (?:gratuita|gratis|personalizad[oa]|comercial|de vuelta))*';
const wish =
  '(?:(?:quiero|quisiera|querria|necesito|deseo|queremos|necesitamos|solicito)|(?:me|nos) gustaria)';

/** Spanish requests to be called, written to or sent an offer. */
export const contactRequests: RequestForms = {
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
export const contactWords: ContactWords = {
  technical: 'parametros?',
  questions: 'c[oó]mo|qu[eé]|cu[aá]ndo|d[oó]nde|qui[eé]n',
  refusals:
    'mejor no|dejal[oa]|dejelo|olvidal[oa]|olvidelo|no importa|no quiero|no hace falta|prefiero no|no me interesa|ahora no',
  refusedDetails: 'dar|darlo|decir|decirlo|compartir|mis?|datos|nombre|correo',
  greetings: 'hola|s[ií]',
  nameCues: { sure: 'me llamo|mi nombre(?: completo)? es|nombre ?:', likely: 'aqu[ií] es|soy' },
  nameParticles: 'del|la|el',
  notNames: `si gracias hola vale claro bien nada nadie yo tu el ella ello nosotros mi su la los las un una unos y o
    pero para por con sin sobre como que cuando donde quien cual es son soy estoy tengo quiero puedo
    necesito ayuda precio precios factura pedido contrasena cuenta envio reembolso pregunta problema cliente
    interesado aqui no`,
  own: 'mis?|nosotros',
  ownVerbs: '(?:llam|contact|escrib)\\p{L}{0,12}me',
  otherOwners: 'anad|elimin|usuari',
  phone: 'llam|movil|celular',
  numberOwner: 'mi',
  numberNoun: 'numero',
  otherNumbers: 'pedido|factura|cuenta|cliente',
};
