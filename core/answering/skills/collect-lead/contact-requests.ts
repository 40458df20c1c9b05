import { courtesies } from '../courtesies.ts';
import type { RequestGrammar } from '../request-matcher.ts';

const englishSoftly = '(?: (?:please|just|also|maybe|perhaps|possibly|kindly|really|now|still))*';
const englishSomeone =
  '(?:you|someone|somebody|anyone|one of you|a person|(?:a|an|the|your|one of your)(?: (?:sales|support|account|customer|success))*(?: (?:team|person|people|rep|representative|agent|manager|colleagues?|staff|advis[eo]r))?|sales)(?: (?:from|in|of) (?:the |your )?(?:sales|support|team|company|office)(?: team)?)?';
const contact =
  '(?:contact|call|phone|ring|e ?mail|text|reach out to|get back to|write(?: to)?|get in touch with|follow up with|reach)';
const contactMe = `${contact} (?:me|us)(?: back| up)?`;
const want = `(?:i|we)(?:${englishSoftly} (?:want|need|wish)|(?: would|'d)${englishSoftly} (?:like|love|appreciate))`;
const englishOffer =
  '(?:(?:an?|your|the) )?(?:(?:free|live|personal|short|quick|written|custom|detailed|product|price|sales|non binding|individual) )*(?:quote|quotation|offer|proposal|estimate|demo|call ?back|return call|(?:phone |sales |video )?call|consultation)';
const obtain = '(?:get|have|receive|request|book|schedule|arrange|see|ask for|order|set up)';
const salesContact =
  '(?:contact|get in (?:touch|contact) with|be put in (?:touch|contact) with|hear from|be contacted by) (?:your |the |someone (?:from|in) )?(?:sales)(?: (?:team|department|rep|person|people))?';

/** English requests to be called, written to or sent an offer. */
export const english: RequestGrammar = {
  ...courtesies.en,
  requests: [
    `(?:can|could|would|may)${englishSoftly} ${englishSomeone}${englishSoftly} ${contactMe}`,
    `(?:please|kindly|you (?:can|may|could)|feel free to|just|do)${englishSoftly} ${contactMe}`,
    `${contactMe}(?= *$| (?:,|at|on|under|via|by|please|tomorrow|today|asap|about|regarding|back|to discuss|as soon|when you can|mailaddress|\\+?\\p{N})(?: |$))`,
    `(?:please )?(?:have|let|get|ask|tell) ${englishSomeone} (?:to )?(?:contact|call|phone|ring|e ?mail|text|reach out to|get back to|write to|get in touch with|follow up with) (?:me|us)(?: back)?`,
    `${want} ${englishSomeone} to ${contactMe}`,
    `${want}(?: to)? be (?:contacted|called|phoned|called back)(?: by (?:phone|e ?mail|${englishSomeone}))?`,
    `${want}(?: to ${obtain})? ${englishOffer}`,
    `${want} to ${salesContact}`,
    `(?:can|could|may|might) (?:i|we)${englishSoftly} ${obtain} ${englishOffer}`,
    `(?:can|could|would|will) you${englishSoftly} (?:send|give|make|prepare|show|offer) (?:me|us) ${englishOffer}`,
    `(?:please )?(?:send|give|make|prepare) (?:me|us) ${englishOffer}`,
    `(?:please )?(?:send|e ?mail) ${englishOffer} to mailaddress`,
    '(?:please )?(?:put|get) me in (?:touch|contact) with (?:your |the )?sales(?: team)?',
  ],
  tails: [
    'for|of|with|on|about|regarding|concerning|by|to|at|under|via (?:e ?mail|phone)|tomorrow|next|this (?:week|afternoon|morning|evening)|because|and|or|as soon|when you (?:can|have)|if (?:possible|you (?:can|could))|i|we|my|our|from (?:you|your|sales)|mailaddress|\\+?\\p{N}+|after|before|between|later|back',
  ],
  bare: [
    `(?:${obtain} )?${englishOffer} please`,
    '(?:request|book|schedule|arrange|get) (?:a |an )?(?:demo|call ?back|quote|quotation|offer|sales call|consultation)',
    '(?:call|contact|phone|e ?mail) (?:me|us)(?: back)?|call ?back|contact sales',
  ],
};

const germanSoftly =
  '(?: (?:bitte|gerne?|mal|doch|auch|einfach|jetzt|heute|morgen|kurz|zeitnah|dringend|noch|schnellstmoglich|moglichst bald))*';
const germanSomeone =
  '(?:sie|ihr|du|jemand(?: (?:von ihnen|aus dem (?:vertrieb|team|support)|vom (?:vertrieb|support|team)))?|ihr vertrieb|der vertrieb|ein (?:mitarbeiter|kollege|berater)|einer ihrer (?:mitarbeiter|kollegen))';
const germanContactDetails =
  '(?:(?: (?:unter|per|auf|an|uber|telefonisch|am|um|ab|nach|zwischen|wegen|bezuglich|zu[mr]?))(?: [\\p{L}\\p{N}+]+){0,10}?)?';
const callInfinitive =
  '(?:anrufen|zuruckrufen|kontaktieren|erreichen|schreiben|mailen|melden|zuruckmelden|kontakt(?: mit mir)? aufnehmen|in verbindung setzen)';
const germanOffer =
  '(?:(?:ein(?:e[nmr]?)?|euer|ihr|das|die) )?(?:(?:unverbindliche[sn]?|kostenlose[sn]?|individuelle[sn]?|personliche[sn]?|schriftliche[sn]?|kurze[sn]?) )*(?:angebot|kostenvoranschlag|demo|produktdemo|vorfuhrung|ruckruf|beratungsgesprach|beratung|offerte|preisangebot)';
const germanWish =
  '(?:ich|wir) (?:mochten?|hatten?|will|wollen|brauchen?|wurden?|wunschen?|bitten? um|benotigen?)';

/** German requests to be called, written to or sent an offer. */
export const german: RequestGrammar = {
  ...courtesies.de,
  requests: [
    `(?:rufen sie|ruft|ruf)${germanSoftly} (?:mich|uns)${germanSoftly}${germanContactDetails}(?: (?:an|zuruck))?`,
    `(?:kontaktieren sie|kontaktiert|kontaktiere|erreichen sie) (?:mich|uns)`,
    `(?:melden sie sich|melde dich|meldet euch)${germanSoftly}(?: bei (?:mir|uns))?`,
    `(?:schreiben sie|schreib|schreibt|mailen sie)${germanSoftly} (?:mir|uns)(?= *$| (?:,|bitte|an|unter|auf|eine)(?: |$))`,
    `(?:nehmen sie|nehmt|nimm)${germanSoftly}(?: mit (?:mir|uns))?${germanSoftly} kontakt(?: mit (?:mir|uns))? auf`,
    `(?:setzen sie sich|setz dich)${germanSoftly} mit (?:mir|uns)${germanSoftly} in verbindung`,
    `(?:kann|konnen|konnte|konnten|konnt|kannst|wurde|wurden) ${germanSomeone}${germanSoftly} (?:sich )?(?:mich|mir|uns|mit mir|mit uns|bei mir|bei uns|sich bei mir)${germanSoftly}${germanContactDetails} ${callInfinitive}`,
    `(?:kann|konnte|konnten|konnen)${germanSoftly} (?:mich|mir|uns|sich)${germanSoftly} ${germanSomeone}${germanSoftly}(?: mit mir| bei mir)?${germanContactDetails} ${callInfinitive}`,
    `${germanWish}${germanSoftly} (?:zuruckgerufen|angerufen|kontaktiert) werden`,
    `${germanWish}${germanSoftly} ${germanOffer}`,
    `(?:konn(?:en|ten) sie|kannst du|konntest du|wurden sie)${germanSoftly} (?:mir|uns)${germanSoftly} ${germanOffer}(?: [\\p{L}\\p{N}]+){0,8}? (?:machen|schicken|senden|erstellen|zusenden|zukommen lassen|geben|unterbreiten)`,
    `(?:schicken|senden|machen|erstellen) sie${germanSoftly} (?:mir|uns)${germanSoftly} ${germanOffer}`,
    `(?:kann|konnen|konnte|konnten) (?:ich|wir)${germanSoftly} ${germanOffer}(?: [\\p{L}\\p{N}]+){0,8}? (?:bekommen|haben|erhalten|buchen|vereinbaren|anfordern)`,
    `ich bitte(?: sie)? um ${germanOffer}`,
  ],
  tails: [
    'fur|uber|unter|per|von|mit|auf|an|am|um|ab|zu[mr]?|wegen|bezuglich|zuruck|morgen|heute|nachste|sobald|wenn (?:moglich|es)|und|da|weil|bekommen|haben|erhalten|vereinbaren|buchen|anfordern|mailaddress|\\+?\\p{N}+|meine|ich|bei|nach|zwischen',
  ],
  bare: [
    `${germanOffer} bitte`,
    '(?:bitte )?(?:um )?ruckruf(?: bitte)?',
    '(?:demo|beratung|ruckruf|angebot) (?:vereinbaren|anfordern|buchen)',
  ],
};

const spanishSoftly = '(?: (?:por favor|ya|hoy|manana|ahora|tambien))*';
const spanishCall = '(?:llamar|contactar|escribir|telefonear|devolver la llamada)';
const spanishOffer =
  '(?:(?:un|una|su|el|la) )?(?:presupuesto|cotizacion|oferta|demo|demostracion|propuesta|llamada|asesoria)(?: (?:gratuita|gratis|personalizad[oa]|comercial|de vuelta))*';
const spanishWish =
  '(?:(?:quiero|quisiera|querria|necesito|deseo|queremos|necesitamos|solicito)|(?:me|nos) gustaria)';

/** Spanish requests to be called, written to or sent an offer. */
export const spanish: RequestGrammar = {
  ...courtesies.es,
  requests: [
    `(?:me |nos )?(?:pueden?|podrian?|puedes|podrias)(?: (?:usted|ustedes|alguien))?${spanishSoftly} (?:me |nos )?(?:${spanishCall}(?:me|nos)|devolverme la llamada|ponerse en contacto conmigo)`,
    `(?:me|nos) (?:pueden?|podrian?|puedes|podrias)(?: (?:usted|ustedes|alguien))?${spanishSoftly} ${spanishCall}`,
    `(?:puede|podria) alguien${spanishSoftly} (?:${spanishCall}(?:me|nos)|ponerse en contacto conmigo)`,
    '(?:llam[ae]n?(?:me|nos)|contact[ae]n?(?:me|nos)|escrib[ae]n?(?:me|nos)|escribeme)',
    '(?:pongase|ponganse|ponte) en contacto con(?:migo| nosotros)',
    `${spanishWish}${spanishSoftly} que (?:me|nos) (?:llamen?|contacten?|escriban?|devuelvan la llamada)`,
    `${spanishWish}${spanishSoftly} (?:recibir |pedir |solicitar |obtener |tener |agendar |reservar |ver )?${spanishOffer}`,
    `(?:me |nos )?(?:pueden?|podrian?|puedes|podrias)${spanishSoftly} (?:enviar|mandar|hacer|preparar|dar)(?:me|nos)? ${spanishOffer}`,
    `(?:puedo|podria|podemos)${spanishSoftly} (?:recibir|pedir|solicitar|obtener|tener|agendar|reservar) ${spanishOffer}`,
    `(?:envien?|manden?|envia|manda|hagan)(?:me|nos) ${spanishOffer}`,
  ],
  tails: [
    'para|de|al?|en|por|sobre|con|manana|hoy|cuando puedan|lo|y|si es posible|mi|mailaddress|\\+?\\p{N}+|esta|despues',
  ],
  bare: [
    `${spanishOffer} por favor`,
    '(?:solicitar|pedir|agendar) (?:un |una )?(?:demo|demostracion|presupuesto|cotizacion|llamada)',
  ],
};

const frenchSoftly = "(?: (?:s'il vous plait|svp|stp|aussi|demain|aujourd'hui|bien|donc))*";
const frenchCall = '(?:rappeler|appeler|contacter|recontacter|ecrire|telephoner|joindre)';
const frenchOffer =
  "(?:(?:une?|votre|le|la|d'un|d'une) ?)?(?:devis|offre|demo|demonstration|proposition(?: commerciale)?|rappel|rendez vous(?: telephonique)?)(?: (?:gratuite?|personnalisee?|commerciale?|telephonique))*";
const frenchWish =
  "(?:je (?:voudrais|veux|souhaite|souhaiterais|desire|demande)|j'aimerais|j'ai besoin|nous (?:voudrions|souhaitons|souhaiterions|aimerions)|il me faut)";

/** French requests to be called, written to or sent an offer. */
export const french: RequestGrammar = {
  ...courtesies.fr,
  requests: [
    '(?:rappelez|appelez|contactez|recontactez|rappelle|appelle|contacte|ecrivez|telephonez|joignez) (?:moi|nous)',
    `(?:pouvez vous|pourriez vous|vous pouvez|peux tu|pourrais tu|tu peux|merci de|veuillez)${frenchSoftly} (?:me |nous |m')${frenchCall}`,
    `(?:est ce que )?(?:quelqu'un|un commercial|un conseiller|une personne) (?:peut|pourrait|peut il|pourrait il)${frenchSoftly} (?:me |nous |m')${frenchCall}`,
    `(?:est ce que vous pouvez|est ce qu'on peut|on peut)${frenchSoftly} (?:me |nous |m')${frenchCall}`,
    `${frenchWish}${frenchSoftly} (?:etre )(?:rappelee?s?|appelee?s?|contactee?s?|recontactee?s?)`,
    `${frenchWish}${frenchSoftly} (?:qu'on me|que vous me|que quelqu'un me) (?:rappeliez|rappelle|contacte|contactiez|appelle|appeliez)`,
    `${frenchWish}${frenchSoftly} ?(?:(?:recevoir|obtenir|avoir|demander|reserver|planifier|prendre) )?${frenchOffer}`,
    `(?:pouvez vous|pourriez vous|vous pouvez|pourrais tu)${frenchSoftly} (?:me |nous |m')(?:envoyer|faire|preparer|etablir|faire parvenir) ${frenchOffer}`,
    `(?:puis je|pouvons nous|est ce que je peux|je peux|serait il possible d'|est il possible d')${frenchSoftly} ?(?:avoir|obtenir|recevoir|demander|reserver) ${frenchOffer}`,
    `(?:envoyez|faites|preparez) (?:moi|nous) ${frenchOffer}`,
  ],
  tails: [
    'pour|au|aux|a|de|du|sur|par|avec|demain|des que|quand vous|et|concernant|mon|je|mailaddress|\\+?\\p{N}+|si possible|apres|cet|cette',
  ],
  bare: [
    `${frenchOffer} (?:svp|stp|s'il vous plait)`,
    '(?:demander|reserver) (?:un |une )?(?:demo|devis|demonstration|rappel)',
  ],
};
