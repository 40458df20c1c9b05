import { courtesies } from '../courtesies.ts';
import type { RequestGrammar } from '../request-matcher.ts';

const englishKind =
  '(?:real|actual|live|living|human|support|customer|service|care|sales|technical|tech|proper|qualified|different|competent|responsible|billing)';
const englishNoun =
  '(?:human(?: being)?|person|agent|representative|rep|operator|advis[eo]r|employee|staff member|colleague|team member|manager|supervisor|technician|consultant|specialist|salesperson|member of (?:staff|(?:your|the) (?:team|staff)))';
const englishOne = `(?:(?:an?|the|your|some|another|any|one of (?:your|the)) )?(?:${englishKind} )*${englishNoun}`;
const people = `(?:(?:real|actual|live) (?:people|humans)|humans|one of your (?:${englishKind} )*(?:people|team|staff|colleagues|agents)|your (?:${englishKind} )*(?:agents|people|colleagues))`;
const englishSomeone =
  '(?:someone|somebody|anyone|anybody)(?: (?:real|human|else|responsible|in charge|from (?:your|the) (?:\\p{L}+ )?(?:team|staff|company|support)|from (?:support|sales|billing)))?';
const englishDesk =
  '(?:(?:your|the) )?(?:customer (?:service|support|care)|(?:technical |tech |human |live )?support(?: (?:team|staff|desk|people))?|help ?desk|(?:sales|service|customer|billing|success) team|sales|staff|team)';
const englishPerson = `(?:${englishOne}|${people}|${englishSomeone})`;
const englishAnybody = `(?:${englishPerson}|${englishDesk})`;

const englishTalk = '(?:talk|speak|chat)(?: (?:directly|live|now|here))? (?:to|with|w)';
const englishReach = `(?:${englishTalk}|get (?:hold of|in touch with|through to|in contact with)|reach|contact|have a (?:chat|word|conversation) with|be (?:connected|transferred|forwarded|handed over|passed|put through|redirected|switched) (?:on to|over to|to|with))`;
const hand = '(?:connect|transfer|forward|hand|pass|put|switch|redirect|escalate|direct|refer)';
const handOver = `${hand} (?:me|us|this|it|the (?:chat|conversation))(?: (?:over|through|on|directly))? (?:to|with|in touch with|in contact with) ${englishAnybody}`;
const englishSoftly =
  '(?: (?:please|just|really|only|still|also|now|maybe|perhaps|possibly|simply|finally))*';
const want = `(?:i|we)(?:${englishSoftly} (?:want|need|wish|prefer|demand|insist on)|(?: would|'d)${englishSoftly} (?:like|love|prefer))`;
const wantTo = `(?:${want} to|(?:i|we)(?: would|'d) (?:much )?rather|i wanna|(?:i|we)(?: really)? (?:must|have to|gotta)|let me|allow me to)${englishSoftly}`;
const englishMay = `(?:can|could|may|might|can't|cannot|couldn't|why can't|why can)(?: not)? (?:i|we)${englishSoftly}`;
const howTo = 'how (?:can|could|do|would|may) (?:i|we) (?:actually |finally )?';
const would = `(?:can|could|would|will) you${englishSoftly}`;
const forMe = '(?: (?:to|who|that) (?:help|talk|speak|assist|answer|understand|can|could|speaks|knows)\\b)?';

/** How a person is asked for in English. */
export const english: RequestGrammar = {
  ...courtesies.en,
  requests: [
    `${wantTo} (?:${englishReach}|see|have) ${englishAnybody}`,
    `${englishMay} ${englishTalk} ${englishAnybody}`,
    `${englishMay} (?:have|get|see|${englishReach}) ${englishPerson}`,
    `(?:is it|would it be|is it not) possible (?:for me )?to (?:${englishTalk} ${englishAnybody}|${englishReach} ${englishPerson})`,
    `(?:is there (?:any|a) (?:way|chance)(?: for me)?|any (?:way|chance)) to (?:${englishTalk} ${englishAnybody}|${englishReach} ${englishPerson})`,
    `(?:any chance|is there (?:any|a) (?:way|chance)(?: that)?) i (?:can|could) (?:${englishTalk} ${englishAnybody}|${englishReach} ${englishPerson})`,
    `${howTo}(?:${englishTalk}|get (?:hold of|through to)|reach|get) ${englishPerson}`,
    `(?:${would} )?(?:please )?${handOver}`,
    `(?:${would} )?(?:please )?(?:get|give|find|bring|send|fetch) (?:me|us) ${englishPerson}`,
    `(?:${would} )?(?:please )?escalate (?:this|it|me|my (?:case|issue|request|problem|ticket|complaint))`,
    `(?:${want}|i'd appreciate) (?:human (?:help|assistance|support)|(?:help|assistance|support) from ${englishPerson}|(?:talking|speaking) (?:to|with) ${englishAnybody})`,
    `(?:would|do) you mind (?:connecting|transferring|putting) me (?:to|with|through to|in touch with) ${englishAnybody}`,
    `${want} ${englishPerson}${forMe}(?= *$| (?:,|please|now|instead|immediately|asap|urgently|right|here|to|who|that|and|or|not|today|because)\\b)`,
    `(?:can|could|would|may)(?: i have)? (?:${englishOne}|someone (?:real|human|from (?:your|the) (?:\\p{L}+ )?(?:team|staff)|from support))(?: please)? (?:please )?(?:help|assist|take over|talk to|speak (?:to|with)|look (?:at|into)|join)(?: (?:me|us|this|it|my \\p{L}+|here))*`,
    `is there (?:${englishPerson}) (?:here|there|available|around|online|(?:who |that )?(?:i|we) (?:can|could) (?:talk|speak|chat)(?: (?:to|with))?|(?:for me )?to (?:talk|speak|chat) (?:to|with))`,
  ],
  tails: [
    'about|regarding|concerning|for|who|that|to|from (?!my|our)|because|since|as|right|rather|before|soon|quickly|directly',
    'on the (?:phone|line)|by phone|over the phone|in (?:person|charge|english|german|spanish|french|support|sales|billing|your|the (?:support|sales))',
    'and|but|or|not|at (?:your|the)|with|if possible|live|then|i|my|cause|this|it',
  ],
  bare: [
    `(?:(?:i )?(?:want|need) )?(?:to )?(?:talk|speak|chat|connect)(?: me)? (?:to |with )${englishAnybody}`,
    `(?:get|give|want|need)(?: me)? ${englishPerson}`,
    `(?:want|need) (?:human help|help from ${englishPerson})`,
    `(?:(?:an?|the|some|any) )?(?:(?:real|actual|live|human|support|customer|service) )*(?:human(?: being)?|person|agent|representative|rep|operator|advisor)`,
    '(?:live|human) (?:chat|support|help|assistance)|real (?:people|humans)|customer (?:service|support|care)(?: (?:please|now))?|support(?: (?:team|staff))? please|real support',
  ],
};

const germanKind =
  '(?:echte|richtige|lebendige|lebende|menschliche|reale|kompetente|zustandige|andere)[nmrs]?';
const germanNoun =
  '(?:mensch(?:en)?|person|(?:(?:support|kundendienst|service) ?)?mitarbeiter(?:in|n|s)?|(?:kunden)?berater(?:in|n)?|kolleg(?:e|en|in)|agent(?:en|in)?|ansprechpartner(?:in|n)?|sachbearbeiter(?:in|n)?|kundenbetreuer(?:in|n)?|vorgesetzten?|techniker(?:in)?|verantwortlichen)';
const germanFrom =
  '(?: (?:von ihnen|von euch|(?:vo[nm]|aus|im|in)(?: (?:dem|der|ihrem|eurem|ihrer))? (?:support|kundenservice|kundendienst|team|service|vertrieb|support team|mannschaft)))?';
const germanOne = `(?:(?:ein(?:e[nmr]?)?|irgendein(?:e[nmr]?)?|de[nmr]|die|ihre[nmr]?|eure[nmr]?|nem|ner) )?(?:${germanKind} )*${germanNoun}${germanFrom}`;
const germanSomeone = `(?:jemand(?:e[mn])?(?: (?:echte[mn]?|anderem|anderen|menschliche[mn]|richtige[mn]))?|wem)${germanFrom}`;
const germanDesk =
  '(?:(?:de[mnr]|ihre[mnr]?|eure[mnr]?|vom) )?(?:kundendienst|kundenservice|kundensupport|support(?: ?team)?|service ?team|hotline|team|vertrieb)';
const germanAnybody = `(?:${germanOne}|${germanSomeone}|${germanDesk})`;
const germanPerson = `(?:${germanOne}|${germanSomeone})`;

const germanSoftly =
  '(?: (?:bitte|gerne?|jetzt|lieber|sofort|endlich|direkt|mal|einfach|auch|nur|wirklich|dringend|hier|personlich|doch|kurz|nicht (?:einfach|mal|direkt)))*';
const matter = '(?: (?:uber|wegen|bezuglich|zu[mr]?|betreffend)(?: [\\p{L}\\p{N}]+){1,8}?)?';
const germanTalk = '(?:sprechen|reden|chatten|telefonieren|kommunizieren|schreiben|verbunden werden)';
const germanWithOne = `${germanSoftly}${matter}${germanSoftly} mit ${germanAnybody}${germanSoftly}${matter}${germanSoftly} ${germanTalk}`;
const germanWish = `(?:ich|wir)(?: (?:mocht(?:e|en)?|mocht|will|wollen|wurden?|hatten?|muss|mussen|wunsche))`;
const germanMay = '(?:kann|konnte|darf|durfte|konnen|konnten|warum kann|wie kann) (?:ich|man|wir)';
const you = '(?:konn(?:en|ten) sie|kann(?:st)? du|konntest du|konnt ihr|wurden sie|wurdest du)';

/** How a person is asked for in German. */
export const german: RequestGrammar = {
  ...courtesies.de,
  requests: [
    `${germanWish}${germanWithOne}`,
    `(?:${germanMay}|ist es moglich|gibt es (?:die|eine) moglichkeit|ware es moglich) ?,?${germanWithOne.replace(' mit', '(?: mit| ,? ?mit)')}`,
    `(?:ist|ware) es moglich ,?${germanSoftly} mit ${germanAnybody}${germanSoftly}${matter} zu (?:sprechen|reden|chatten)`,
    `${germanWish}${germanSoftly} (?:an|zu) ${germanAnybody}${germanSoftly} (?:weitergeleitet|durchgestellt|ubergeben|weiterverbunden|verwiesen) werden`,
    `${you}${germanSoftly} (?:mich|uns|das|mir)${germanSoftly} (?:mit|an|zu) ${germanAnybody}${germanSoftly} (?:verbinden|weiterleiten|weiterverbinden|durchstellen|ubergeben|geben)`,
    `(?:verbinden sie|verbinde|verbindet)(?: bitte)? (?:mich|uns)${germanSoftly} mit ${germanAnybody}`,
    `(?:leiten sie|leite|stellen sie|stell|ubergeben sie|ubergib|geben sie|gib)(?: bitte)? (?:mich|uns|das)${germanSoftly} (?:an|zu) ${germanAnybody}${germanSoftly}(?: weiter| durch)?`,
    `(?:geben sie|gib|holen sie|hol|schicken sie|schick)(?: bitte)? mir${germanSoftly} ${germanPerson}(?: (?:ran|her|ans telefon))?`,
    `(?:ich|wir) (?:brauche|brauchen|will|wollen|mochte|mochten|verlange|hatte gerne?|benotige)${germanSoftly} ${germanPerson}(?= *$| (?:,|bitte|jetzt|sofort|sprechen|haben|der|die|und|statt|keinen?|kein|dringend)(?: |$))`,
    `(?:kann|konnte)${germanSoftly} (?:mir )?(?:bitte )?(?:ein(?:e)? (?:${germanKind} )*(?:mensch|mitarbeiter(?:in)?|person|berater(?:in)?|kollege|kollegin))(?: mir)?${germanSoftly}${matter} (?:helfen|weiterhelfen|ubernehmen|antworten)`,
    `(?:gibt es|ist)(?: hier| da)? ${germanPerson}(?: hier| da)? ,? ?(?:mit de[mr] ich|den ich) (?:sprechen|reden|chatten|erreichen)(?: kann)?`,
    `(?:lassen sie|lass) mich${germanWithOne}`,
  ],
  tails: ['weil|und|aber|oder|statt|denn|der|die|wegen|uber|zu[mr]?|kann|nicht|von|haben|sprechen'],
  bare: [
    `(?:ein(?:e[nm]?)? )?(?:${germanKind} )*(?:mensch(?:en)?|person|(?:(?:support|service) ?)?mitarbeiter(?:in)?|berater(?:in)?|kundenberater(?:in)?|agent(?:en)?|ansprechpartner(?:in)?)`,
    `(?:bitte )?mit ${germanAnybody}(?: bitte)?(?: (?:sprechen|reden|chatten|verbinden|verbunden werden))?`,
    `${germanPerson} (?:sprechen|bitte)|(?:kundenservice|kundendienst|support) bitte`,
  ],
};

const spanishNoun =
  '(?:persona|humano|humana|ser humano|agente|asesora?|operadora?|representante|empleado|empleada|ejecutiv[oa]|encargad[oa]|tecnico|comercial|responsable|supervisora?|gerente|companer[oa]|miembro del equipo)';
const spanishKind =
  '(?: (?:real|humano|humana|fisica|viva|de verdad|de carne y hueso|en vivo|tecnico|de (?:soporte|ventas|atencion(?: al cliente)?|servicio(?: al cliente)?)|de(?:l| su| vuestro| tu) (?:equipo|soporte)(?: de \\p{L}+)?))*';
const spanishOne = `(?:(?:un|una|el|la|algun|alguna|otro|otra|su|tu|vuestro|uno de (?:sus|tus|vuestros)) )?${spanishNoun}s?${spanishKind}`;
const spanishSomeone = `alguien${spanishKind}`;
const spanishDesk =
  '(?:(?:el|la|su|tu|vuestro|vuestra) )?(?:(?:servicio de )?atencion al cliente|servicio al cliente|(?:equipo de )?soporte(?: tecnico)?|equipo(?: de \\p{L}+)?)';
const spanishAnybody = `(?:${spanishOne}|${spanishSomeone}|${spanishDesk})`;
const spanishPerson = `(?:${spanishOne}|${spanishSomeone})`;

const spanishSoftly = '(?: (?:por favor|ya|ahora|mejor|directamente|solo|simplemente|tambien|aqui))*';
const spanishTalk =
  '(?:hablar|chatear|conversar|comunicarme|comunicarnos|contactar|contactarme|ponerme en contacto|conectarme|tratar|platicar)';
const spanishWish =
  '(?:(?:yo )?(?:quiero|quisiera|querria|necesito|deseo|prefiero|preferiria|queremos|necesitamos|exijo|solicito|tengo que|debo|quiero poder)|(?:a mi )?me gustaria|nos gustaria|dejame|dejeme|permitame)';
const spanishMay =
  '(?:(?:como )?(?:puedo|podria|podemos|podriamos|se puede)|es posible|seria posible|hay (?:alguna )?(?:forma|manera) de)';

/** How a person is asked for in Spanish. */
export const spanish: RequestGrammar = {
  ...courtesies.es,
  requests: [
    `${spanishWish}${spanishSoftly} ${spanishTalk}${spanishSoftly} con ${spanishAnybody}`,
    `${spanishMay}${spanishSoftly} ${spanishTalk}${spanishSoftly} con ${spanishAnybody}`,
    `${spanishWish}${spanishSoftly} (?:un|una) ${spanishNoun}${spanishKind}(?= *$| (?:,|por favor|porfavor|ya|ahora|que|para|y)(?: |$))`,
    `${spanishWish}${spanishSoftly} que me (?:atienda|ayude|conteste|responda|llame|pasen? con|comuniquen? con|conecten? con|pongan? con|transfieran? (?:a|con)) ${spanishAnybody}`,
    `(?:me )?(?:puedes?|podrias?|pueden|podrian|puede usted|podria usted)${spanishSoftly} (?:me )?(?:pasar(?:me)?|comunicar(?:me)?|conectar(?:me)?|poner(?:me)?(?: en contacto)?|transferir(?:me)?|derivar(?:me)?)${spanishSoftly} (?:con|a) ${spanishAnybody}`,
    `(?:pas[ae]me|pasenme|conect[ae]me|comuniqueme|comunicame|pon(?:ga)?me(?: en contacto)?|transfier[ae]me|deriv[ae]me|comuniquenme)${spanishSoftly} (?:con|a) ${spanishAnybody}`,
    `(?:dame|deme|denme|necesito a|quiero a) (?:un|una) ${spanishNoun}${spanishKind}`,
    `(?:me )?(?:puede|podria)${spanishSoftly} (?:atender(?:me)?|ayudar(?:me)?) (?:una persona|un humano|un agente|alguien del equipo)${spanishKind}`,
    `hay (?:${spanishPerson}) (?:con quien (?:pueda|puedo) hablar|(?:ahi|aqui|disponible)|que (?:me )?pueda (?:ayudar|atender)(?:me)?)`,
  ],
  tails: [
    'sobre|acerca|respecto|para|que|porque|de (?!mi |nuestr)|por|y|o|pero|no|en (?:vez|lugar|espanol|ingles|persona)|del',
  ],
  bare: [
    `(?:${spanishTalk} )?(?:con )(?:${spanishAnybody})`,
    `(?:un |una )?(?:persona|humano|humana|ser humano|agente|asesora?|operadora?|representante)${spanishKind}`,
    '(?:atencion al cliente|soporte|servicio al cliente) por favor',
  ],
};

const frenchNoun =
  '(?:humain|etre humain|personne|conseill(?:er|ere)|agent|operat(?:eur|rice)|charge de clientele|employe|collaborat(?:eur|rice)|technicien|representant|interlocuteur|responsable|commercial|superviseur|membre (?:de (?:votre|l)|du) ?\\p{L}*)';
const before = '(?:(?:vrai|vraie|veritable|autre) )?';
const after =
  "(?: (?:reelle?|humaine?|physique|vivante?|en chair et en os|en direct|clientele|client|(?:de|dans) (?:votre|l') ?\\p{L}+|du (?:support|service(?: client)?)))*";
const frenchOne = `(?:(?:une?|le|la|votre|l'|un de vos|une de vos) ?)${before}${frenchNoun}s?${after}`;
const frenchSomeone = `(?:quelqu'un|qqn)${after}(?: de (?:reel|vrai|humain|chez vous|competent))?`;
const frenchDesk =
  "(?:(?:le|la|votre|vos|l'|un) ?)?(?:service clients?|service client|support(?: (?:client|technique))?|assistance|equipe(?: (?:support|technique|commerciale))?|sav)";
const frenchPerson = `(?:${frenchOne}|${frenchSomeone})`;
const frenchAnybody = `(?:${frenchOne}|${frenchSomeone}|${frenchDesk})`;

const frenchSoftly =
  "(?: (?:s'il vous plait|svp|stp|s'il te plait|maintenant|directement|juste|plutot|simplement|vraiment|aussi))*";
const frenchTalk =
  "(?:parler|discuter|echanger|dialoguer|communiquer|m'entretenir|etre mise? en (?:relation|contact|communication)|entrer en (?:contact|relation)|etre (?:transferee?|redirigee?|dirigee?))";
const to = '(?:a|avec|au|aux|vers)';
const frenchWish =
  "(?:je (?:voudrais|veux|souhaite|souhaiterais|desire|prefere|prefererais|dois|demande a)|j'aimerais|j'ai besoin de|j'exige de|nous (?:voudrions|souhaitons|voulons)|on (?:voudrait|veut)|laissez moi|laisse moi)";
const frenchMay =
  "(?:(?:est ce que )?(?:je peux|je pourrais|on peut|nous pouvons)|(?:comment )?(?:puis je|peut on|pouvons nous|pourrais je)|comment (?:je peux|faire pour|je fais pour)|(?:serait il|est il|c'est|est ce|il est) possible (?:de|d')|y a t il moyen (?:de|d')|(?:possible|moyen) (?:de|d'))";

/** How a person is asked for in French. */
export const french: RequestGrammar = {
  ...courtesies.fr,
  requests: [
    `(?:${frenchWish}|${frenchMay})${frenchSoftly} ?${frenchTalk}${frenchSoftly} (?:${to} )?(?:${frenchAnybody})`,
    `(?:${frenchWish}|${frenchMay})${frenchSoftly} ?(?:avoir|joindre|contacter) ${frenchPerson}`,
    `(?:je (?:veux|voudrais|souhaite|demande|exige|prefere)|j'aimerais|j'ai besoin d'|il me faut|donnez moi|donne moi|passez moi|passe moi|trouvez moi)${frenchSoftly} ?${frenchPerson}(?= *$| (?:,|svp|stp|s'il|maintenant|tout|qui|pour|et|pas|au|a)(?: |$))`,
    `(?:passez|passe|mettez|mets|transferez|transfere|connectez|connecte|redirigez|dirigez) moi (?:en (?:relation|contact|communication) )?${frenchSoftly} ?(?:${to} )?${frenchAnybody}`,
    `(?:pouvez vous|pourriez vous|peux tu|pourrais tu|vous pouvez|tu peux)${frenchSoftly} me (?:passer|mettre en (?:relation|contact|communication)|transferer|connecter|rediriger|diriger)${frenchSoftly} (?:${to} )?${frenchAnybody}`,
    `(?:est ce qu'?)?(?:une vraie personne|un humain|un conseiller|un agent|quelqu'un de (?:votre|l') ?equipe) (?:peut|pourrait)(?: il| elle)? (?:m'aider|me repondre|me parler|prendre le relais)`,
    `(?:y a t il|il y a|est ce qu'il y a) ${frenchPerson} (?:ici|disponible|a qui (?:je (?:peux|puisse|pourrais)) parler|avec qui (?:je (?:peux|puisse|pourrais)) parler)`,
  ],
  tails: [
    "au|aux|de|du|des|concernant|pour|sur|a propos|qui|parce|car|par (?:telephone)|et|ou|mais|en (?:francais|anglais|direct|personne)|pas|a cause|chez|a|d'urgence",
  ],
  bare: [
    `${frenchTalk} (?:${to} )${frenchAnybody}`,
    `(?:une? )?${before}(?:humain|etre humain|conseill(?:er|ere)|operat(?:eur|rice)|agent)${after}`,
    `(?:une )(?:vraie )?personne${after}|vraie personne|quelqu'un de (?:reel|vrai)|(?:service client|support) (?:svp|stp|s'il vous plait)`,
  ],
};

const italianKind =
  "(?: (?:reale|umano|umana|vero|vera|in carne ed ossa|del (?:supporto|servizio clienti)|dell'assistenza))*";
const italianNoun =
  '(?:persona|umano|essere umano|operatore|operatrice|agente|consulente|addetto|responsabile|rappresentante)';
const italianPerson = `(?:(?:un |una |un'|l'|il |la |vostro |qualche )?(?:vero |vera )?${italianNoun}${italianKind}|qualcuno)`;
const italianDesk = "(?:(?:il |l'|la )?(?:servizio clienti|assistenza(?: clienti)?|supporto))";

/** How a person is asked for in Italian. */
export const italian: RequestGrammar = {
  ...courtesies.it,
  requests: [
    `(?:(?:vorrei|voglio|desidero|preferirei|preferisco|devo|ho bisogno di)|(?:come )?(?:posso|potrei|possiamo)|(?:e|sarebbe) possibile|si puo)(?: per favore)? (?:parlare|chattare|comunicare|essere messo in contatto|mettermi in contatto) con (?:${italianPerson}|${italianDesk})`,
    `(?:vorrei|voglio|mi serve|ho bisogno di) (?:un |una |un')(?:vero |vera )?${italianNoun}${italianKind}(?= *$| (?:,|per|subito|che)(?: |$))`,
    `(?:mi )?(?:puo|puoi|potrebbe|potete)(?: per favore)? (?:mettermi in contatto|mettere in contatto|passarmi|passare|collegarmi|trasferirmi)(?: con| a)? ?${italianPerson}`,
    `(?:mi passi|passami|mi metta in contatto con|mettimi in contatto con) ${italianPerson}`,
  ],
  tails: ['per|su|sul|sulla|riguardo|che|perche|in|di|del|e|o|non|invece'],
  bare: [
    `(?:parlare )?con (?:${italianPerson}|${italianDesk})`,
    `(?:un |una |un')?(?:umano|essere umano|operatore|persona (?:reale|vera)|vera persona|agente)${italianKind}`,
  ],
};

const portugueseKind =
  '(?: (?:real|humano|humana|de verdade|d[oa] (?:suporte|equipe|equipa|atendimento)|de (?:suporte|atendimento)))*';
const portugueseNoun =
  '(?:pessoa|humano|ser humano|atendente|agente|operadora?|assistente|representante|consultora?|responsavel|funcionari[oa])';
const portuguesePerson = `(?:(?:um |uma |o |a |algum |alguma )?${portugueseNoun}${portugueseKind}|alguem${portugueseKind})`;
const portugueseDesk =
  '(?:(?:o |a |vosso |seu )?(?:atendimento(?: ao cliente)?|suporte(?: tecnico)?|apoio ao cliente))';

/** How a person is asked for in Portuguese. */
export const portuguese: RequestGrammar = {
  ...courtesies.pt,
  requests: [
    `(?:(?:eu )?(?:quero|queria|gostaria de|preciso(?: de)?|desejo|prefiro|tenho que)|(?:como )?(?:posso|poderia|podemos|da para)|(?:e|seria) possivel)(?: por favor)? (?:falar|conversar|contactar|contatar|ser atendid[oa]|ser transferid[oa]) (?:com|por|para) (?:${portuguesePerson}|${portugueseDesk})`,
    `(?:eu )?(?:quero|queria|preciso de|gostaria de) (?:um |uma )${portugueseNoun}${portugueseKind}(?= *$| (?:,|por|agora|que)(?: |$))`,
    `(?:me )?(?:pode|poderia|podem|podes)(?: por favor)? (?:me )?(?:passar|transferir|ligar|conectar|por em contacto|colocar em contato)(?: me)? (?:com|para|a) ${portuguesePerson}`,
    `(?:me passe|passe me|me transfira|transfira me|me conecte) (?:com|para|a) ${portuguesePerson}`,
  ],
  tails: ['sobre|para|que|porque|do|da|de|em|e|ou|nao|por'],
  bare: [
    `(?:falar )?com (?:${portuguesePerson}|${portugueseDesk})`,
    `(?:um |uma )?(?:humano|ser humano|atendente|pessoa (?:real|de verdade)|agente humano|operadora?)${portugueseKind}`,
  ],
};

const dutchNoun =
  '(?:mens|persoon|medewerk(?:er|ster)|collega|agent|adviseur|iemand|vertegenwoordiger|supportmedewerker|klantenservicemedewerker)';
const dutchFrom = '(?: van (?:de |het |jullie |uw )?(?:klantenservice|support|team|helpdesk|supportteam))?';
const dutchPerson = `(?:(?:een |de |jullie |uw )?(?:echte? |menselijke |levende |andere )*${dutchNoun}${dutchFrom})`;
const dutchAnybody = `(?:${dutchPerson}|(?:de |jullie |uw )?(?:klantenservice|helpdesk|support))`;
const dutchSoftly = '(?: (?:graag|nu|direct|even|liever|alstublieft|alsjeblieft|gewoon|ook))*';
const dutchTalk = '(?:spreken|praten|chatten|bellen|doorverbonden worden|contact hebben)';

/** How a person is asked for in Dutch. */
export const dutch: RequestGrammar = {
  ...courtesies.nl,
  requests: [
    `(?:ik|we|wij) (?:wil|willen|zou|zouden|moet|wens)${dutchSoftly} (?:met )?${dutchAnybody}${dutchSoftly} (?:willen )?${dutchTalk}`,
    `(?:hoe )?(?:kan|kunnen|mag|zou) (?:ik|we|wij)${dutchSoftly} (?:met )?${dutchAnybody}${dutchSoftly} ${dutchTalk}`,
    `is het mogelijk om${dutchSoftly} met ${dutchAnybody}${dutchSoftly} te (?:spreken|praten|chatten)`,
    `(?:kunt u|kun je|kan je|kunnen jullie) (?:mij|me)${dutchSoftly} (?:met |aan )?${dutchAnybody}${dutchSoftly} (?:doorverbinden|verbinden|geven)`,
    `(?:verbind|geef) (?:mij|me)${dutchSoftly} (?:door )?(?:met |aan )?${dutchAnybody}(?: door)?`,
    `ik (?:wil|heb|zoek)${dutchSoftly} (?:een )(?:echte? |menselijke )*(?:mens|persoon|medewerker)(?: nodig| spreken)?(?= *$| (?:,|graag|nu|die)(?: |$))`,
  ],
  tails: ['over|voor|want|omdat|die|en|of|niet|wegens'],
  bare: [
    `(?:met )${dutchPerson}(?: (?:spreken|praten|chatten))?`,
    '(?:een )?(?:echte? |menselijke )*(?:mens|medewerker|persoon)(?: spreken)?',
  ],
};

const polishKind =
  '(?:zywy[mt]?|zywej|zywego|zywa|prawdziw(?:ym|ego|ej|a|y)|inn(?:ym|ego|ej|a)|ludzkim|jakims|jakas)';
/** Instrumental and nominative forms; the next constant has the genitive. */
const polishNoun =
  '(?:czlowiek(?:iem)?|osoba|konsultant(?:em|ka)|pracownik(?:iem)?|pracownica|doradca|agent(?:em|ka)|operator(?:em|ka)|przedstawiciel(?:em|ka)|kierownik(?:iem)?|specjalista)';
const polishWantedPerson =
  '(?:czlowieka|osoby|konsultant(?:a|ki)|pracownika|doradc[ye]|agenta|operatora|przedstawiciela|kierownika)';
const polishFrom =
  '(?: (?:z )?(?:biura |dzialu |waszego |panstwa )?(?:obslugi(?: klienta)?|wsparcia(?: technicznego)?|zespolu|pomocy technicznej))?';
const polishPerson = `(?:(?:${polishKind} )*${polishNoun}${polishFrom}|kims(?: (?:zywym|prawdziwym|innym))?${polishFrom})`;
const polishDesk =
  '(?:(?:biurem|dzialem) obslugi(?: klienta)?|obsluga klienta|(?:wsparciem|pomoca)(?: techniczn(?:ym|a))?|infolinia|waszym zespolem)';
const polishAnybody = `(?:${polishPerson}|${polishDesk})`;
const polishSoftly = '(?: (?:prosze|teraz|od razu|po prostu|jednak|bezposrednio|juz))*';
const polishTalk = '(?:porozmawiac|rozmawiac|pogadac|pomowic|pisac|byc polaczon[ya])';
const polishReach = '(?:skontaktowac sie|polaczyc sie)';

/** How a person is asked for in Polish. */
export const polish: RequestGrammar = {
  ...courtesies.pl,
  requests: [
    `(?:chce|chcemy|chcialbym|chcialabym|chcielibysmy|wole|wolalbym|wolalabym|musze|potrzebuje)${polishSoftly} (?:${polishTalk}|${polishReach})${polishSoftly} (?:z|ze) ${polishAnybody}`,
    `(?:czy )?(?:moge|mozna|moglbym|moglabym|da sie|jest mozliwosc|czy mozliwe jest)${polishSoftly} (?:${polishTalk} (?:z|ze) ${polishAnybody}|${polishReach} (?:z|ze) ${polishPerson})`,
    `(?:czy )?(?:jest|bylaby) mozliwosc (?:rozmowy|kontaktu) (?:z|ze) ${polishPerson}`,
    `(?:potrzebuje|chce)${polishSoftly} (?:pomocy|rozmowy z|kontaktu z) (?:${polishKind} )*(?:czlowieka|czlowiekiem)`,
    `(?:po)?prosze${polishSoftly} (?:(?:o )?(?:polaczenie|przelaczenie|przekierowanie)|(?:mnie )?(?:polaczyc|przelaczyc|przekierowac)(?: mnie)?|o (?:rozmowe|kontakt)) (?:z|ze|do) (?:${polishAnybody}|${polishWantedPerson})`,
    `(?:polacz|polaczcie|przelacz|przelaczcie|przekieruj|przekierujcie)${polishSoftly} mnie${polishSoftly} (?:z|ze|do) (?:${polishAnybody}|${polishWantedPerson})`,
    `(?:czy )?(?:moze|mozesz|mozecie|moglbys|moglabys|moglby|moglaby)(?: (?:mnie|pan|pani|panstwo|prosze))+ (?:polaczyc|przelaczyc|przekierowac) (?:z|ze|do) (?:${polishAnybody}|${polishWantedPerson})`,
    `(?:chce|potrzebuje|poprosze|dajcie mi|daj mi|zadam)${polishSoftly} (?:${polishKind} )*${polishWantedPerson}${polishFrom}(?= *$| (?:,|prosze|teraz|nie|a|i|zamiast)(?: |$))`,
  ],
  tails: [
    'w sprawie|o|na temat|odnosnie|bo|poniewaz|gdyz|i|a|ale|nie|zamiast|ktory|ktora|telefonicznie|przez',
  ],
  bare: [
    `(?:porozmawiac |rozmawiac |rozmowa |kontakt )(?:z|ze) ${polishPerson}`,
    `(?:z|ze) (?:${polishKind} )*${polishNoun}`,
    '(?:(?:zywy|prawdziwy) )?(?:czlowiek|konsultant|operator)|(?:(?:zywa|prawdziwa) )osoba',
  ],
};

const turkishKind = '(?:bir|yetkili|gercek|canli|baska|musteri|hizmetleri|destek|teknik)';
const turkishWithOne = `(?:(?:${turkishKind} )*(?:insanla|insan ile|biriyle|biri ile|birisiyle|birisi ile|kisiyle|kisi ile|temsilci(?:niz|si)?(?:yle|le| ile)|yetkili(?:niz)?(?:yle|le| ile)|gorevliyle|danismanla|danisman ile|operatorle|operator ile|calisan(?:iniz)?la|uzmanla|ekibinizle|ekibiyle)|musteri hizmetleri(?:yle|niz(?:le)?| ile)|canli destek(?:le| ile))`;
const toOne = `(?:(?:${turkishKind} )*(?:insana|birine|birisine|kisiye|temsilci(?:niz|si)?(?:y|n)?e|yetkili(?:niz)?y?e|gorevliye|danismana|operatore|ekibinize|ekibine)|musteri hizmetlerine|canli destege)`;
const about = '(?:(?:[\\p{L}\\p{N}]+ ){1,6}(?:hakkinda|konusunda|icin|ile ilgili) )?';
const turkishSoftly = '(?: (?:lutfen|hemen|simdi|direkt|dogrudan|artik|sadece|acilen))*';
const turkishTalk = '(?:konusmak|gorusmek|yazismak|sohbet etmek|iletisime gecmek|irtibata gecmek)';
const turkishWish = '(?:istiyorum|istiyoruz|isterim|isterdim|istemistim|zorundayim|lazim|gerekiyor)';

/** How a person is asked for in Turkish. */
export const turkish: RequestGrammar = {
  ...courtesies.tr,
  requests: [
    `(?:ben )?${about}${turkishWithOne}${turkishSoftly} ${turkishTalk} (?:${turkishWish}|mumkun mu)`,
    `(?:ben )?${about}${turkishWithOne}${turkishSoftly} (?:konusabilir|gorusebilir|yazisabilir|sohbet edebilir) (?:miyim|miyiz)`,
    `(?:benim )?${about}${turkishWithOne}${turkishSoftly} (?:konusmam|gorusmem) (?:mumkun mu|lazim|gerek|gerekiyor)`,
    `(?:(?:beni|bizi)${turkishSoftly} )?${toOne}${turkishSoftly} (?:bagla(?:yin|yiniz|r misin|r misiniz|yabilir misin|yabilir misiniz)?|aktar(?:in|iniz|ir misin|ir misiniz|abilir misiniz)?|yonlendir(?:in|iniz|ir misin|ir misiniz|ebilir misiniz)?)`,
    `${toOne}${turkishSoftly} (?:baglanmak|aktarilmak|yonlendirilmek) (?:${turkishWish})`,
    `bana${turkishSoftly} (?:${turkishKind} )*(?:insan|temsilci|yetkili|operator) (?:lazim|gerek|gerekiyor)`,
    `(?:ben )?(?:${turkishKind} )*(?:insan|temsilci|temsilcisi|yetkili|operator) istiyorum(?= *$| ,)`,
  ],
  tails: ['cunku|ama|ve|yoksa|botla|bot'],
  bare: [
    `${turkishWithOne}(?: ${turkishTalk})?`,
    `(?:${turkishKind} )*(?:insan|temsilci|temsilcisi|yetkili|operator)`,
    'canli destek|musteri hizmetleri',
  ],
};
