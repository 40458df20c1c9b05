/** The kinds of small talk. If a message is of several kinds, the first of these determines the answer. */
export const saidKinds = [
  'upset',
  'bot',
  'abilities',
  'wellBeing',
  'goodbye',
  'thanks',
  'praise',
  'greeting',
  'no',
  'okay',
] as const;

/** A `filler` says nothing by itself. */
export const smallTalkKinds = [...saidKinds, 'filler'] as const;

export type SmallTalkKind = (typeof smallTalkKinds)[number];

/** Phrases by kind, separated by `|`. `{a,b,}` stands for one of the alternatives, the last of which is empty. */
type Phrases = Readonly<Partial<Record<SmallTalkKind, string>>>;

/** Understood in every language. */
export const sharedPhrases: Phrases = {
  greeting: 'hi|hey|hello|yo',
  thanks: 'thx|thanks|thank you',
  praise: 'super|top|cool|bravo|wow',
  goodbye: 'bye|bye bye|ciao',
  okay: 'ok|okay|okey|oki|okidoki|k|kk|yes|yep|haha|hahaha|hehe|lol|hm|hmm|mhm|aha',
  no: 'no|nope',
  bot: 'bot|chatbot|robot|ai',
  upset: 'wtf|omg|ffs',
  filler: 'oh|ah|please|pls|bot|chatbot',
};

/**
 * Small talk by language. A message is small talk only if it consists of these phrases alone, so no phrase may be a
 * question that documents can answer: `how does this work` is none, `what can you do` is one. A phrase of several languages
 * belongs to the first of them unless the visitor's is another.
 */
export const phrases: Readonly<Record<string, Phrases>> = {
  en: {
    greeting:
      'hiya|heya|howdy|greetings|sup|welcome|good {morning,afternoon,evening,day}|morning|evening|nice to meet you|{is,} {anyone,anybody,someone} {there,here}|are you there|test|testing',
    wellBeing:
      'how are you {doing,feeling,}|how are things|hows it going|how is it going|how do you do|whats up|hows your day|how is your day|how r u|{i,} hope {youre,you are,all is} well|hows everything',
    thanks:
      'ty|tysm|cheers|{many,} thanks|thank u|thanks so much|thank you so much|much appreciated|i appreciate {it,that,your help}|that {helped,helps}|that was {very,really,} helpful|very helpful|no {,more} questions|you {helped,really helped,have helped,have really helped} {me,us,}|{youve,you have} been {very,so,really,} {helpful,kind}',
    praise:
      '{thats,that is,this is,its,it is,} {great,perfect,awesome,excellent,amazing,wonderful,brilliant,fantastic,nice,lovely,very good,really good}|well done|good {job,bot,answer,one}|great {job,answer,bot,stuff}|i love {it,you,this}|you rock|{you are,youre} {great,awesome,the best,amazing,very helpful,so helpful}|it {works,worked}|that {worked,works}',
    goodbye:
      'goodbye|good-bye|good bye|see {you,ya} {later,soon,around,tomorrow,}|cya|farewell|take care|have a {nice,good,great,lovely} {day,one,evening,weekend,week}|good night|thats all {for now,for today,}|that is all {for now,for today,}|thats it|talk to you later|ttyl|catch you later|{that,this} {will,would} be all|nothing more|until next time',
    okay: 'yeah|yup|ya|sure|sure thing|fine|alright|all right|right|got it|i see|understood|i understand|makes sense|of course|absolutely|exactly|correct|thats right|no problem|np|no worries|okay then|sounds good|will do|good to know|maybe|good|i will try {it,that,}|ill try {it,that,}|sorry|my bad',
    no: 'nah|not really|not now|no need|never mind|nevermind|nvm|forget it|nothing|nothing else',
    bot: '{are,r} {you,u} {a,an,} {bot,chatbot,robot,machine,computer,ai,human,person,real,real person,real human,automated,chatgpt,gpt,human or a bot,bot or a human,robot or a human,human or a robot,robot or human,human or robot,bot or human,human or bot,real or a bot,human being}|am i {talking,speaking,chatting} {to,with} a {bot,robot,machine,human,person,real person,computer,real human}|is this {a,an,} {bot,chatbot,robot,ai,human,person,real person,automated}|who are you|what are you|whats your name|what is your name|do you have a name|who am i {talking,speaking} {to,with}|who is this|{you are,youre} a {bot,robot,machine}|who {made,built,created,programmed} you|what is this',
    abilities:
      'help|help me|{i need,need} {help,some help,your help,assistance}|can you help {me,} {with something,}|could you help {me,}|what can you {do,do for me,help with,help me with,answer,tell me}|what do you {do,know}|how can you help {me,}|what {can,should} i ask {you,}|what can i {do,say} here|i have a question|i have some questions|i have a few questions|i have a problem|can i ask {you,} {a question,something,a few questions}|question|what questions can i ask|menu|start|tell me about yourself|how do you work|what else can you {do,help with,tell me}|what can {this,the} {bot,chat,assistant} do',
    upset:
      'you suck|this sucks|{this,that,it,you} {is,are} {so,really,totally,completely,absolutely,just,} {useless,stupid,ridiculous,terrible,awful,horrible,rubbish,garbage,crap,a joke,nonsense,bullshit,annoying,frustrating,dumb,pathetic,a waste of time,unacceptable,outrageous,bad}|{thats,its,youre,your} {so,really,totally,completely,absolutely,just,} {useless,stupid,ridiculous,terrible,awful,horrible,rubbish,garbage,crap,a joke,nonsense,bullshit,annoying,frustrating,dumb,pathetic,a waste of time,unacceptable,an idiot,bad}|you are an idiot|stupid {bot,machine,thing,ai,}|dumb {bot,}|useless {bot,}|idiot|moron|shut up|fuck|fuck you|fuck off|fuck this|shit|bullshit|damn|damn it|asshole|go to hell|i hate {you,this,it}|{thats,that is,this is,its,youre,you are} {wrong,not right,not true,incorrect,not correct,false,not helpful,not it}|wrong {answer,}|incorrect|{this,that,it} {doesnt,does not,didnt,did not,isnt,is not,wasnt,was not} {help,help me,helping,helpful,help at all,helping me,answer my question,what i asked,what i meant,right,true,correct}|not helpful|no help {at all,}|{thats,that is} not {what i asked,what i meant,my question,what i want,an answer,good enough}|not what i asked {for,}|you {dont,do not,didnt,did not} {understand,get it,understand me,answer my question,help,listen,help me,know anything}|you are not {helping,listening,helpful}|youre not {helping,listening,helpful}|i {already,just} {said,told you} {that,}|{im,i am} {so,really,very,} {angry,frustrated,annoyed,upset,mad,furious,fed up,disappointed}|are you {kidding,joking,stupid,serious} {me,}|{worst,terrible,bad,horrible,awful} {service,bot,support,answer,experience,customer service} {ever,}|thanks for nothing|what a {joke,mess,waste of time}|this is getting nowhere|come on|seriously|give me a break|ugh|argh|grr|{this,the,your} {bot,chat,chatbot,assistant,thing} {is,sucks} {so,really,totally,completely,absolutely,just,} {useless,stupid,ridiculous,terrible,awful,horrible,rubbish,garbage,crap,dumb,bad,}|not what i {meant,wanted,was asking,need}|{thats,that is,this is} not what {i,} {wanted,was asking,need,needed}|{im,i am} {so,really,very,just,} confused|{this,that} makes no sense',
    filler:
      'there|again|everyone|everybody|all|guys|team|folks|sir|madam|mate|man|buddy|dude|dear|friend|well|so much|very much|a lot|so far|for {your,the,all your} {help,time,answer,answers,info,information,patience,reply,quick reply}|for {that,helping,helping me,answering}|really|very|just|now|today|then|actually|anyway|and|you too|to you|and you|you stupid bot|at all|so|for now',
  },
  fr: {
    greeting:
      'bonjour|bonsoir|salut|coucou|bjr|slt|re|{y a-t-il,il y a,} quelqu’un|{il,} y a quelqu’un|tu es là|vous êtes là|allô|enchanté|test|rebonjour',
    wellBeing:
      '{comment,} ça va {bien,}|comment {vas-tu,allez-vous,vas tu,allez vous,tu vas,vous allez}|tu vas bien|vous allez bien|quoi de neuf|la forme',
    thanks:
      'merci|{mille,grand,un grand} merci|merci {beaucoup,bien,infiniment,à vous,à toi}|mci|je {vous,te} remercie|c’est {très,} {gentil,utile,sympa}|{très,} utile|ça m’a {bien,beaucoup,} aidé|ça m’aide {beaucoup,bien,}|plus de questions|je n’ai plus de {question,questions}|{tu m’as,vous m’avez} {beaucoup,bien,vraiment,} aidé',
    praise:
      '{c’est,} {super,top,cool,parfait,génial,excellent,formidable,fantastique,magnifique,très bien,impeccable,nickel,extra,chouette}|bon travail|bien joué|bonne réponse|{tu es,vous êtes,t’es} {génial,super,le meilleur,formidable}|ça {marche,fonctionne,a marché}|tant mieux',
    goodbye:
      'au revoir|à {bientôt,plus,plus tard,demain,tout à l’heure,la prochaine,+}|adieu|bonne {journée,soirée,nuit,fin de journée,continuation}|bon {week-end,weekend,après-midi}|{ce sera,c’est,c’était} tout|tchao|tchuss|salut et merci|ce sera tout|rien d’autre',
    okay: 'oui|ouais|ouaip|bien sûr|d’accord|dac|daccord|entendu|compris|j’ai compris|je comprends|je vois|très bien merci|bien|ah bon|exact|exactement|c’est ça|ça roule|ça marche merci|pas de {problème,souci}|pas grave|ce n’est pas grave|peut-être|je vais essayer|volontiers|bon|c’est bon|c’est noté|noté|pardon|désolé|désolée|avec plaisir',
    no: 'non|nan|pas vraiment|pas maintenant|pas la peine|laisse tomber|laissez tomber|peu importe|tant pis|rien|rien d’autre|ce n’est pas nécessaire',
    bot: '{es-tu,êtes-vous,tu es,vous êtes,t’es,es tu,êtes vous,est-ce que tu es,est-ce que vous êtes} {un,une,} {bot,chatbot,robot,machine,ordinateur,ia,humain,humaine,personne,vraie personne,personne réelle,vrai,intelligence artificielle,robot ou un humain,robot ou une personne,humain ou un robot}|{je parle,est-ce que je parle,parle-je,je discute} {à,avec} {un,une} {bot,robot,machine,humain,personne,vraie personne,ia}|c’est {un,une} {bot,robot,ia,machine}|qui {es-tu,êtes-vous,es tu,êtes vous,tu es}|{tu es,t’es,vous êtes} qui|comment {tu t’appelles,t’appelles-tu,vous appelez-vous}|quel est {ton,votre} nom|à qui {je parle,ai-je affaire}|qui {t’a,vous a} {créé,fait,programmé}',
    abilities:
      'aide|aide-moi|aidez-moi|à l’aide|{j’ai,j’aurais} besoin {d’aide,de votre aide,de ton aide}|{peux-tu,pouvez-vous,tu peux,vous pouvez,pourriez-vous,pourrais-tu} m’aider|que {peux-tu,pouvez-vous,sais-tu,savez-vous} faire {pour moi,}|qu’est-ce que {tu peux,vous pouvez,tu sais,vous savez} faire|tu {peux,sais} faire quoi|tu fais quoi|comment {peux-tu,pouvez-vous,tu peux,vous pouvez} m’aider|que puis-je {te,vous,} demander|qu’est-ce que je peux {te,vous,} demander|{j’ai,j’aurais} {une,des,quelques} {question,questions}|j’ai un problème|{puis-je,je peux,est-ce que je peux} {te,vous,} poser une question|{une,} question|menu|commencer',
    upset:
      '{c’est,tu es,t’es,vous êtes,ceci est,c’était} {vraiment,complètement,totalement,trop,un,une,} {inutile,nul,nulle,stupide,bête,ridicule,idiot,débile,horrible,mauvais,n’importe quoi,con,blague,honte,catastrophe,scandaleux,frustrant,énervant,inadmissible,inacceptable,perte de temps}|{bot,robot} {stupide,inutile,nul,débile}|stupide {bot,robot}|tais-toi|ta gueule|ferme-la|merde|putain|va te faire foutre|connard|idiot|imbécile|je {te,vous} déteste|nul|inutile|n’importe quoi|{c’est,} {faux,pas vrai,pas correct,pas ça,incorrect,pas la bonne réponse,pas juste}|ce n’est pas {vrai,ça,correct,ce que j’ai demandé,ce que je demande,ma question,juste,la bonne réponse,utile}|mauvaise réponse|{ça,cela} ne {m’aide,m’aide vraiment,sert,répond} {pas,à rien,pas du tout,pas à ma question}|ça {m’aide pas,sert à rien,marche pas du tout}|{tu ne comprends,vous ne comprenez,tu comprends,vous ne me comprenez,tu ne me comprends} {rien,pas}|{tu n’as,vous n’avez} pas répondu {à ma question,}|{tu ne sers,tu sers} à rien|je suis {très,vraiment,} {énervé,énervée,en colère,frustré,frustrée,furieux,furieuse,déçu,déçue,mécontent,mécontente}|{tu te fous,vous vous fichez,vous vous moquez,tu te moques} de moi|{quelle,une} {honte,blague,catastrophe}|{j’en ai,} {marre,ras le bol,assez}|service {nul,déplorable,lamentable}|je l’ai déjà dit|merci pour rien|c’est pas possible|{ce,le} {bot,chatbot,robot} est {vraiment,trop,complètement,} {inutile,nul,stupide,mauvais}|ce n’est pas ce que je {voulais,voulais dire,cherche}|ça n’a aucun sens',
    filler:
      'à tous|à toutes|tout le monde|encore|beaucoup|bien|s’il vous plaît|s’il te plaît|svp|stp|monsieur|madame|pour {tout,votre aide,ton aide,la réponse,votre réponse,ta réponse,l’info,les infos,les informations,l’aide}|et|alors|donc|vraiment|très|à vous|à toi|vous aussi|toi aussi|également|et toi|et vous|l’équipe|là|là-bas|euh|bah|ben|hein|du tout|pour le moment|pour l’instant',
  },
  de: {
    greeting:
      'hallo|hallöchen|moin|moin moin|servus|grüezi|grüß {gott,dich,euch,sie}|gruss gott|guten {morgen,tag,abend}|{schönen,} guten {tag,abend,morgen}|tach|na|mahlzeit|gute tag|ist {da,hier} {jemand,wer}|{jemand,wer} da|bist du da|sind sie da|test',
    wellBeing:
      'wie gehts {dir,ihnen,euch,}|wie geht es {dir,ihnen,euch,}|wie gehts dir so|alles {gut,klar} bei {dir,ihnen}|na wie gehts|wie läufts|was geht',
    thanks:
      'danke|dankeschön|danke schön|danke sehr|danke dir|danke ihnen|{vielen,besten,herzlichen,tausend,lieben} dank|merci|ich danke {dir,ihnen}|das hat {mir,} {sehr,} geholfen|{sehr,} hilfreich|das {war,ist} {sehr,} hilfreich|das hilft {mir,} {sehr,}|keine fragen {mehr,}|keine weiteren fragen|{du hast,sie haben,ihr habt} {mir,uns} {sehr,wirklich,viel,} geholfen',
    praise:
      '{das ist,das war,} {super,cool,top,perfekt,prima,klasse,toll,großartig,ausgezeichnet,spitze,wunderbar,sehr gut,sehr schön,genial,hervorragend,fantastisch}|gut gemacht|{gute,tolle} {antwort,arbeit}|{du bist,sie sind} {toll,super,der beste,spitze,klasse}|es {klappt,funktioniert}|das hat {geklappt,funktioniert}|hat geklappt|freut mich',
    goodbye:
      'tschüss|tschüs|tschau|auf wiedersehen|wiedersehen|auf wiederhören|bis {bald,dann,später,morgen,zum nächsten mal}|ade|gute nacht|{einen,} {schönen,guten} {tag,abend,feierabend} {noch,}|schönes wochenende|mach{s,ts} gut|machs gut|das wars {schon,fürs erste,}|das war alles|das ist alles|pfiat di|uf wiederluege|das wäre alles|nichts mehr|bis zum nächsten mal',
    okay: 'ja|jo|jep|jawohl|ja gerne|gern|gerne|klar|alles klar|na klar|in ordnung|passt|passt schon|verstanden|verstehe|ich verstehe|einverstanden|genau|richtig|stimmt|gut|na gut|sehr gern|gut zu wissen|kein problem|macht nichts|ach so|achso|okay dann|vielleicht|mache ich|werde ich {versuchen,probieren}|ich probiere es|sorry|entschuldigung|tut mir leid',
    no: 'nein|nee|nö|ne|nicht wirklich|jetzt nicht|nicht nötig|egal|schon gut|vergiss es|nichts|nichts weiter|lieber nicht|nein danke',
    bot: '{bist du,sind sie} {ein,eine,} {bot,chatbot,roboter,maschine,computer,ki,mensch,echter mensch,echt,echte person,person,künstliche intelligenz,automat,mensch oder ein bot,mensch oder eine maschine,mensch oder maschine,bot oder ein mensch}|{rede,spreche,chatte,schreibe} ich mit {einem,einer} {bot,roboter,maschine,computer,menschen,echten menschen,mensch,ki,echten person}|ist das {ein,eine} {bot,chatbot,roboter,ki,maschine,mensch}|wer {bist du,sind sie}|was {bist du,sind sie}|wie {heißt du,heißen sie}|wie ist {dein,ihr} name|mit wem {rede,spreche,schreibe,chatte} ich|wer hat {dich,sie} {gemacht,gebaut,programmiert,entwickelt}',
    abilities:
      'hilfe|hilf mir|helfen sie mir|ich {brauche,bräuchte,benötige} {bitte,} {hilfe,deine hilfe,ihre hilfe,unterstützung}|{kannst du,können sie} mir {bitte,} helfen|was {kannst du,können sie} {alles,} {tun,machen,für mich tun,}|was {weißt du,wissen sie} {alles,}|was machst du|wie {kannst du,können sie} {mir,} helfen|wobei {kannst du,können sie} {mir,} helfen|was {kann,darf} ich {dich,sie,} {alles,} fragen|ich {habe,hab,hätte} {eine,mal eine,da eine,ein paar,noch eine} {frage,fragen}|ich {habe,hab} ein problem|{kann,darf} ich {dich,sie,} {etwas,was,mal was} fragen|frage|menü|start|was {kannst du,können sie} {noch,sonst,sonst noch} {tun,machen,}',
    upset:
      '{das ist,du bist,sie sind,ihr seid,das war,ist} {doch,echt,so,völlig,total,absolut,wirklich,einfach,} {nutzlos,dumm,blöd,doof,lächerlich,schrecklich,furchtbar,schlecht,sinnlos,quatsch,unsinn,ein witz,mist,scheiße,unverschämt,eine frechheit,frustrierend,ärgerlich,nervig,zeitverschwendung,ein idiot,inakzeptabel}|{blöder,dummer,doofer,nutzloser,scheiß} {bot,roboter,chatbot}|idiot|depp|trottel|arschloch|halt {die klappe,den mund,die fresse}|klappe|scheiße|mist|verdammt|fick dich|leck mich|{das ist,das war,} {falsch,nicht richtig,nicht hilfreich,nicht wahr,nicht korrekt}|{das stimmt,stimmt} {so,gar,} nicht|falsche antwort|das hilft {mir,} {so,gar,überhaupt,} nicht {weiter,}|das hat {mir,} nicht geholfen|das war nicht meine frage|das habe ich nicht {gefragt,gemeint}|{du verstehst,sie verstehen} {mich,das,} {gar,} nicht|das beantwortet {meine frage,} nicht meine frage|das beantwortet meine frage nicht|{ich bin,bin} {so,sehr,echt,total,} {sauer,wütend,frustriert,verärgert,genervt,enttäuscht}|{das nervt,du nervst,nervig}|so ein {mist,quatsch,unsinn}|{willst du mich,wollen sie mich} {verarschen,veräppeln}|das darf doch nicht wahr sein|das kann doch nicht {wahr,euer ernst,ihr ernst} sein|danke für nichts|{schlechter,mieser,schlechtester} {service,kundenservice,bot}|{keine,} frechheit|ich hasse {dich,das}|unverschämt|so kommen wir nicht weiter|unbrauchbar|nutzlos|lächerlich|du kannst {gar,} nichts|{dieser,der} {bot,chat,chatbot} ist {so,echt,total,völlig,einfach,} {nutzlos,dumm,blöd,schlecht,furchtbar,schrecklich,mist}|das {meinte,wollte} ich nicht|das habe ich nicht gewollt|das ergibt keinen sinn|ich bin verwirrt',
    filler:
      'nochmal|noch mal|zusammen|alle|allerseits|leute|bitte|sehr|schon|mal|dann|also|na|so|und|für {die,deine,ihre,eure} {hilfe,antwort,auskunft,schnelle antwort,info,mühe,informationen,geduld}|dafür|dir|ihnen|euch|auch|gleichfalls|ebenfalls|du blöder bot|echt|wirklich|liebes team|liebe leute|noch|doch|erstmal|vorerst|ach|fürs erste',
  },
  es: {
    greeting:
      'hola|holi|holaa|buenas|buenos días|buen día|buenas {tardes,noches}|muy buenas|qué hay|saludos|{hay,} alguien {ahí,aquí}|estás ahí|encantado|encantada|prueba',
    wellBeing:
      'qué tal {estás,está,todo,}|cómo {estás,está,están,andas,te va,le va}|cómo va {todo,eso,}|todo bien|qué pasa',
    thanks:
      'gracias|{muchas,muchísimas,mil,mil,} gracias|te lo agradezco|se lo agradezco|muy amable|{me,} ha sido {muy,} útil|me {ayudó,ha ayudado,sirve,sirvió} {mucho,}|muy útil|no tengo más preguntas|me {ayudaste,has ayudado,ha ayudado,ayudó} {mucho,bastante,}',
    praise:
      '{es,está,eso es,} {súper,perfecto,genial,excelente,estupendo,fantástico,increíble,maravilloso,buenísimo,muy bien,muy bueno}|buen trabajo|bien hecho|buena respuesta|eres {genial,el mejor,muy útil,increíble}|{ya,} funciona|funcionó|me alegro|qué bien|qué bueno',
    goodbye:
      'adiós|chao|chau|hasta {luego,pronto,mañana,la vista,otra,la próxima}|nos vemos|{que tenga,que tengas,} {un,} {buen,feliz} {día,fin de semana}|que te vaya bien|que le vaya bien|eso es todo|eso era todo|nada más|es todo|eso {será,sería} todo',
    okay: 'sí|si|sip|claro|claro que sí|vale|bien|bueno|de acuerdo|entendido|entiendo|ya veo|comprendo|por supuesto|exacto|correcto|eso es|así es|está bien|perfecto entonces|listo|dale|no hay problema|no pasa nada|lo {probaré,intentaré}|voy a probar|quizás|tal vez|perdón|lo siento|disculpa|disculpe',
    no: 'ahora no|no hace falta|no es necesario|da igual|déjalo|olvídalo|no importa|nada|en realidad no|no mucho',
    bot: '{eres,es usted,es,estás} {un,una,} {bot,chatbot,robot,máquina,ia,humano,humana,persona,persona real,real,persona de verdad,inteligencia artificial,ordenador,robot o una persona,bot o una persona,persona o un robot}|{estoy hablando,hablo} con {un,una} {bot,robot,máquina,persona,humano,persona real,ia}|esto es {un,una} {bot,robot,ia,máquina}|{quién,qué} {eres,es usted}|cómo {te llamas,se llama}|cuál es {tu,su} nombre|con quién {hablo,estoy hablando}|quién te {hizo,creó,programó}',
    abilities:
      'ayuda|ayúdame|ayúdeme|{necesito,quiero} {ayuda,tu ayuda,su ayuda}|{me puedes,me puede,puedes,puede,podrías,podría,me podrías,me podría} ayudar|{puedes,puede,podrías,podría} ayudarme|qué {puedes,sabes,puede,sabe} hacer {por mí,}|qué haces|qué sabes|en qué {me puedes,puedes,me puede,puede} {ayudar,ayudarme}|cómo {me puedes,puedes,me puede,puede} {ayudar,ayudarme}|qué {puedo,te puedo,le puedo} {preguntar,preguntarte,preguntarle}|tengo {una,unas,algunas,varias} {pregunta,preguntas,duda,dudas,consulta}|tengo un problema|{puedo,te puedo,le puedo} {hacer,hacerte,hacerle} una pregunta|{una,} {pregunta,consulta}|menú|empezar|inicio',
    upset:
      '{esto,eso,es,eres,usted,} {es,eres,está,} {muy,tan,totalmente,completamente,un,una,} {inútil,estúpido,tonto,ridículo,ridícula,terrible,horrible,basura,mierda,broma,vergüenza,desastre,frustrante,idiota,imbécil,pésimo,absurdo,malo,pérdida de tiempo,inaceptable,tontería}|{bot,robot} {inútil,estúpido,tonto,de mierda}|cállate|mierda|joder|carajo|vete a la mierda|que te jodan|qué asco|te odio|{eso,esto,} {está mal,no es correcto,no es cierto,no es verdad,es falso,es incorrecto,es mentira,no es así}|{respuesta,} {incorrecta,equivocada,incorrecto}|te equivocas|{eso,esto,} no {me,} {ayuda,sirve,ayudó,ha ayudado} {para nada,de nada,nada,}|no {me,} {entiendes,entiende,entendiste,ayudas,escuchas,respondes}|no {has respondido,respondiste,responde,contesta} {a,} mi pregunta|no {es,era} lo que {pregunté,pregunto,he preguntado,quería}|no sirves {para nada,de nada,}|no sirve {para nada,de nada,}|estoy {muy,} {enfadado,enfadada,enojado,enojada,frustrado,frustrada,harto,harta,furioso,furiosa,molesto,molesta,cansado,decepcionado,decepcionada}|{qué,vaya,menuda} {vergüenza,desastre,mierda,porquería,tontería,birria}|me tomas el pelo|{pésimo,mal,peor} servicio|ya te lo {dije,he dicho}|gracias por nada|no me lo puedo creer|estás de broma|este {bot,chat,robot} es {muy,tan,} {inútil,tonto,malo,pésimo,terrible}|no es lo que {quería,quería decir,busco}|no tiene sentido',
    filler:
      'a todos|de nuevo|otra vez|amigo|amiga|por favor|porfa|por {todo,la ayuda,tu ayuda,su ayuda,la información,la respuesta,tu respuesta,su respuesta,la info,responder}|muy|mucho|y|pues|entonces|ya|de verdad|hoy|a ti|a usted|igualmente|equipo|eh|bien|por ahora|así',
  },
  it: {
    greeting:
      'salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|buondì|{c’è,} qualcuno|ci sei|piacere|pronto|prova|saluti',
    wellBeing: 'come {va,stai,sta,state,vanno le cose}|come butta|tutto bene|che si dice',
    thanks:
      'grazie|{mille,molte,tante} grazie|grazie {mille,tante,infinite,davvero,a te,a lei}|ti ringrazio|la ringrazio|molto gentile|mi è stato {molto,} {utile,d’aiuto}|molto utile|mi ha aiutato|non ho altre domande|mi {hai,ha} aiutato {molto,tanto,}|{mi sei stato,è stato} {molto,} {utile,gentile}',
    praise:
      '{è,} {super,perfetto,ottimo,eccellente,fantastico,magnifico,bellissimo,benissimo,molto bene,stupendo,grandioso}|bel lavoro|ben fatto|{ottima,bella,buona} risposta|sei {fantastico,grande,il migliore,bravo,bravissimo}|{ha,} funzionato|funziona|bravissimo|che bello|mi fa piacere',
    goodbye:
      'arrivederci|arrivederla|addio|a {presto,dopo,domani,più tardi,risentirci}|ci {vediamo,sentiamo}|buona {giornata,serata,notte}|buonanotte|buon {weekend,fine settimana}|{è,questo è} tutto|basta così|sarebbe tutto|nient’altro grazie',
    okay: 'sì|si|certo|certamente|va bene|va bene così|bene|d’accordo|capito|ho capito|capisco|vedo|esatto|esattamente|giusto|perfetto allora|nessun problema|non fa niente|forse|ci provo|proverò|volentieri|chiaro|ricevuto|tutto chiaro|scusa|scusi|mi dispiace|ah ecco',
    no: 'non proprio|non ora|adesso no|non serve|non importa|lascia stare|lasci stare|niente|nient’altro|fa niente|nulla',
    bot: '{sei,è,lei è} {un,una,un’,} {bot,chatbot,robot,macchina,computer,ia,intelligenza artificiale,umano,umana,essere umano,persona,persona vera,persona reale,vero,reale,robot o una persona,bot o una persona,umano o un robot}|{sto parlando,parlo} con {un,una} {bot,robot,macchina,persona,persona vera,umano,ia}|questo è un {bot,robot}|{chi,cosa} {sei,è lei}|come {ti chiami,si chiama}|qual è il {tuo,suo} nome|con chi {parlo,sto parlando}|chi ti ha {creato,fatto,programmato}',
    abilities:
      'aiuto|aiutami|mi aiuti|{ho bisogno,avrei bisogno} {di aiuto,d’aiuto,di una mano,del tuo aiuto}|{puoi,può,potresti,potrebbe} aiutarmi|mi {puoi,può,potresti,potrebbe} aiutare|{cosa,che cosa,che} {puoi,sai,può,sa} fare {per me,}|cosa fai|cosa sai|come {puoi,può} aiutarmi|come mi puoi aiutare|in cosa {puoi,può} aiutarmi|cosa posso {chiedere,chiederti,chiederle}|{ho,avrei} {una,delle,alcune} {domanda,domande}|ho un problema|posso {fare,farti,farle} una domanda|{una,} domanda|menu|inizio|inizia',
    upset:
      '{è,sei,questo è,questa è,siete} {davvero,veramente,proprio,totalmente,un,una,} {inutile,stupido,ridicolo,terribile,orribile,pessimo,spazzatura,scherzo,vergogna,frustrante,idiota,scemo,cretino,assurdo,schifo,deludente,perdita di tempo,inaccettabile,imbecille}|{bot,robot} {inutile,stupido}|stupido {bot,robot}|zitto|stai zitto|merda|cazzo|vaffanculo|che schifo|fai schifo|fate schifo|ti odio|idiota|inutile|{è,questo è,quello è,} {sbagliato,falso,scorretto}|non è {vero,corretto,giusto,quello che ho chiesto,così,utile,questa la domanda}|{risposta,} {sbagliata,errata}|ti sbagli|{questo,} non {mi,} {aiuta,serve,è stato d’aiuto,è utile,ha aiutato} {per niente,a niente,affatto,}|non {capisci,hai capito,capite,mi capisci,rispondi,mi ascolti} {niente,nulla,}|non hai risposto {alla mia domanda,}|non ho chiesto questo|non servi a {niente,nulla}|sono {molto,davvero,} {arrabbiato,arrabbiata,frustrato,frustrata,furioso,furiosa,stufo,stufa,deluso,delusa}|{che,ma che} {vergogna,schifo,disastro,scherzo}|mi prendi in giro|state scherzando|stai scherzando|{pessimo,peggior} servizio|l’ho già detto|grazie di niente|non è possibile|basta|questo {bot,chat} {è,fa} {davvero,proprio,} {inutile,stupido,pessimo,schifo}|non è quello che {volevo,intendevo}|non ha senso',
    filler:
      'a tutti|di nuovo|ancora|tanto|molto|per favore|per piacere|per {tutto,l’aiuto,il tuo aiuto,la risposta,le informazioni,l’informazione,il supporto}|dell’aiuto|e|allora|davvero|a te|a lei|anche a te|anche a lei|altrettanto|e tu|lei|bene|dai|ragazzi|eh|per ora|proprio',
  },
  pt: {
    greeting:
      'olá|ola|oi|oii|oie|opa|alô|bom dia|boa tarde|boa noite|saudações|{tem,há,} alguém {aí,aqui}|prazer|teste|e aí',
    wellBeing:
      'tudo {bem,bom,certo} {com você,contigo,}|como {vai,está,estás,vai você,você está,você vai}|como vão as coisas|beleza',
    thanks:
      'obrigado|obrigada|{muito,} {obrigado,obrigada}|obrigadão|obg|brigado|brigada|valeu|agradeço|{eu,} agradeço {muito,}|grato|grata|{foi,} muito útil|{isso,} {me,} ajudou {muito,}|ajudou muito|não tenho mais {perguntas,dúvidas}|{você,} me ajudou {muito,bastante,}|ajudou {muito,bastante}',
    praise:
      '{é,está,isso é,} {super,perfeito,ótimo,excelente,maravilhoso,fantástico,incrível,muito bom,muito bem,legal,show,bacana,fixe,espetacular}|bom trabalho|{boa,ótima} resposta|você é {ótimo,incrível,o melhor,demais}|és {ótimo,incrível,o melhor}|funcionou|{está,} {funcionando,a funcionar}|que bom',
    goodbye:
      'tchau|adeus|até {logo,mais,breve,amanhã,já,a próxima,depois}|{tenha,tem,} {um,} bom {dia,fim de semana}|{tenha uma,uma,} boa {noite,semana}|bom fim de semana|{é,era} {só isso,tudo}|só isso|era só isso|falou|fui|{isso,é} {é,só} {tudo,isso}|por enquanto é só',
    okay: 'sim|claro|claro que sim|com certeza|certo|tá|tá bom|tá bem|está bem|está bom|bem|bom|combinado|entendi|entendido|percebi|percebo|compreendo|compreendi|isso|isso mesmo|exato|exatamente|de acordo|sem problema|sem problemas|não faz mal|talvez|vou {tentar,testar,experimentar}|pode ser|blz|desculpe|desculpa|certinho',
    no: 'não|agora não|não precisa|não é preciso|não é necessário|deixa {pra lá,estar}|deixe estar|esquece|esqueça|não importa|nada|mais nada|nada mais|na verdade não|não muito',
    bot: '{você é,tu és,és,é,o senhor é} {um,uma,} {bot,chatbot,robô,robot,máquina,computador,ia,inteligência artificial,humano,humana,ser humano,pessoa,pessoa real,pessoa de verdade,real,robô ou uma pessoa,bot ou uma pessoa,humano ou um robô}|{estou falando,estou a falar,falo} com {um,uma} {bot,robô,robot,máquina,pessoa,pessoa real,humano,ia}|isto é um {bot,robô,robot}|isso é um {bot,robô}|quem {é você,és tu,és,é}|o que {é você,és,você é}|{qual é,qual} {o,} {seu,teu} nome|como {você se chama,te chamas,se chama}|com quem {estou falando,estou a falar,falo}|quem {te criou,te fez,criou você}',
    abilities:
      'ajuda|me ajuda|me ajude|ajude-me|ajuda-me|socorro|{preciso,eu preciso} de {ajuda,uma ajuda,sua ajuda}|{você pode,pode,podes,poderia,você poderia} me ajudar|{pode,podes,poderia} ajudar-me|{você pode,pode,podes} ajudar|o que {você pode,você sabe,podes,sabes,pode,sabe} fazer {por mim,}|o que {você faz,fazes,faz}|como {você pode,pode,podes} {me ajudar,ajudar-me,ajudar}|em que {você pode,pode,podes} {me ajudar,ajudar-me,ajudar}|o que {eu,} posso perguntar|{tenho,eu tenho} {uma,umas,algumas} {pergunta,perguntas,dúvida,dúvidas}|tenho um problema|posso {fazer,te fazer,lhe fazer} uma pergunta|{uma,} {pergunta,dúvida}|menu|começar|início',
    upset:
      '{isto é,isso é,é,você é,és,isto,isso foi,tu és} {muito,tão,totalmente,completamente,um,uma,} {inútil,estúpido,burro,ridículo,terrível,horrível,péssimo,lixo,merda,piada,vergonha,frustrante,idiota,imbecil,absurdo,ruim,perda de tempo,inaceitável,palhaçada}|{bot,robô} {inútil,estúpido,burro,idiota}|cala a boca|cale a boca|cala-te|merda|porra|caralho|vai se foder|vai-te foder|vai à merda|que droga|te odeio|odeio {isto,isso,você}|idiota|inútil|{isso,isto,} está {errado,errada,mal,incorreto}|{resposta,} {errada,errado,incorreta}|{isso,isto,} não {está certo,é verdade,é correto,está correto,é isso,foi o que perguntei,é o que perguntei,é verdade,tem nada a ver}|não foi {isso,isto} que {eu,} perguntei|{isso,isto,} não {me,} {ajuda,ajudou,serve,serviu,resolve} {em nada,de nada,para nada,nada,}|{você,tu,} não {me,} {entende,entendeu,entendes,percebe,percebeste,ajuda,respondeu,escuta,sabe nada} {nada,}|não respondeu {à minha pergunta,a minha pergunta,}|não serve {para nada,pra nada}|{estou,eu estou,tô} {muito,} {irritado,irritada,frustrado,frustrada,furioso,furiosa,zangado,zangada,chateado,chateada,decepcionado,decepcionada,com raiva}|que {vergonha,absurdo,merda,palhaçada,piada,desastre}|{está,tá} {brincando,de brincadeira,a brincar,a gozar}|{péssimo,pior} {serviço,atendimento}|já disse {isso,isto}|obrigado por nada|não acredito|{este,esse} {bot,robô,chat} é {muito,} {inútil,burro,ruim,péssimo}|não é {o que eu queria,isso que eu queria}|não faz sentido',
    filler:
      'a todos|pessoal|gente|de novo|outra vez|amigo|amiga|por favor|pfv|pela {ajuda,resposta,informação,atenção,paciência}|pelas informações|por {tudo,ajudar,responder}|muito|mesmo|e|então|aí|bem|para você|pra você|para ti|igualmente|também|e você|e tu|hoje|já|eu|por enquanto|por agora|é|ah|você|da ajuda',
  },
  nl: {
    greeting:
      'hallo|hoi|hai|dag|goedendag|goeiedag|{goede,goeie} {morgen,middag,avond}|goedemorgen|goedemiddag|goedenavond|goeiemorgen|goeiemiddag|goeienavond|is {daar,er} iemand|iemand {daar,hier}|ben je daar|aangenaam|test|groetjes',
    wellBeing:
      'hoe gaat het {met je,met u,ermee,}|hoe gaat ie|hoe is het {met je,met u,}|alles goed|hoe is ie',
    thanks:
      'bedankt|dank {je,u,jullie} {wel,}|dankjewel|dankuwel|dank je wel|{hartelijk,heel erg,erg,super} {bedankt,dank}|hartelijk dank|{heel,ontzettend} bedankt|merci|{dat is,dat was,} {heel,erg,zeer,} {behulpzaam,nuttig}|dat {helpt,heeft geholpen} {me,} {enorm,}|geen vragen meer',
    praise:
      '{dat is,} {super,top,cool,perfect,geweldig,fantastisch,prima,uitstekend,mooi,heel goed,erg goed,fijn,tof,prachtig,gaaf,leuk}|goed gedaan|{goed,mooi} {antwoord,werk}|{je bent,jij bent,u bent} {geweldig,de beste,top,super}|het {werkt,heeft gewerkt,is gelukt}|gelukt',
    goodbye:
      'tot {ziens,later,gauw,snel,straks,morgen,de volgende keer}|doei|doeg|houdoe|dag hoor|{een,} {fijne,prettige,goede} {dag,avond,middag} {nog,verder,}|fijn weekend|prettig weekend|goedenacht|welterusten|dat {was,is} {alles,het}|ajuus|tot dan',
    okay: 'ja|jazeker|jawel|jep|graag|ja graag|zeker|prima zo|goed|is goed|oké|begrepen|ik begrijp het|ik snap het|snap ik|duidelijk|akkoord|klopt|dat klopt|precies|inderdaad|juist|geen probleem|maakt niet uit|misschien|ik ga het proberen|ik zal het proberen|komt goed|goed om te weten|sorry|natuurlijk|tuurlijk|helder|top',
    no: 'nee|neen|nu niet|niet echt|niet nodig|hoeft niet|laat maar|laat maar zitten|niks|niets|vergeet het|nee hoor|verder niets',
    bot: '{ben je,ben jij,bent u,is dit,is dat} {een,} {bot,chatbot,robot,machine,computer,ai,mens,echt mens,persoon,echt persoon,echt,echte persoon,mens of een bot,robot of een mens,bot of een mens,automaat}|{praat,spreek,chat} ik met een {bot,robot,machine,computer,mens,echt mens,persoon,echt persoon,echte persoon}|wie {ben je,ben jij,bent u}|wat {ben je,ben jij,bent u}|hoe heet {je,jij,u}|wat is {je,jouw,uw} naam|met wie {spreek,praat,chat} ik',
    abilities:
      'hulp|help me|help mij|ik heb hulp nodig|{kun je,kan je,kunt u,kunnen jullie} {me,mij} {even,} helpen|wat {kun je,kan je,kunt u,kan jij} {allemaal,} {doen,voor me doen,voor mij doen,}|wat doe {je,jij}|wat weet {je,u}|hoe {kun je,kan je,kunt u} {me,mij} helpen|waarmee {kun je,kan je,kunt u} {me,mij} helpen|wat kan ik {je,jou,u,} {allemaal,} vragen|ik heb {een,even een,een paar,nog een} {vraag,vragen,vraagje}|ik heb een probleem|{mag,kan} ik {je,u,} {iets,wat} vragen|vraag|vraagje|menu|start',
    upset:
      '{dit is,dat is,je bent,u bent,het is,jullie zijn,wat} {echt,zo,totaal,helemaal,heel,een,} {nutteloos,waardeloos,stom,dom,belachelijk,verschrikkelijk,vreselijk,slecht,onzin,grap,schande,frustrerend,idioot,onacceptabel,irritant,ruk,kut,tijdverspilling,om te huilen}|{stomme,domme,waardeloze} {bot,robot}|hou je {mond,bek}|houd je mond|kut|klote|shit|godverdomme|verdomme|rot op|flikker op|idioot|sukkel|ik haat {je,dit}|{dat is,dit is,} {fout,verkeerd,niet goed,niet juist,niet waar,onjuist}|{dat,het} klopt {helemaal,} niet|{verkeerd,fout} antwoord|{dat,dit,daar} {helpt,hielp} {me,mij,} {helemaal,} {niet,niets}|daar heb ik niets aan|{dat,dit} is {niet,} {niet behulpzaam,mijn vraag niet,niet mijn vraag,niet wat ik vroeg,niet wat ik bedoel,wat ik vroeg niet}|{je begrijpt,u begrijpt,je snapt} {me,het,mij,} niet|je luistert niet|je beantwoordt mijn vraag niet|dat beantwoordt mijn vraag niet|ik ben {heel,erg,echt,} {boos,gefrustreerd,kwaad,woedend,teleurgesteld,ontevreden}|wat een {grap,onzin,schande,rommel,klotezooi}|maak je een grap|dit meen je niet|dat meen je niet|{slechte,waardeloze} {service,klantenservice}|bedankt voor niets|ik zei het al|waardeloos|nutteloos|belachelijk',
    filler:
      'nogmaals|allemaal|iedereen|alsjeblieft|alstublieft|aub|even|voor {alles,de hulp,je hulp,uw hulp,het antwoord,je antwoord,uw antwoord,de info,de informatie,de moeite,de snelle reactie}|hoor|dan|nou|nu|wel|echt|heel|erg|en|u ook|jij ook|jou ook|insgelijks|met jou|met u|daar|mensen|team|voorlopig|voor nu|dus|zo',
  },
  pl: {
    greeting:
      'cześć|hej|hejka|siema|witam|witaj|witajcie|dzień dobry|dobry wieczór|dobry|{czy,} {jest tu ktoś,ktoś tu jest,jest ktoś}|halo|jesteś tam|miło mi|test|dzieńdobry|siemka|serwus',
    wellBeing:
      'jak się {masz,pan ma,pani ma}|co {słychać,tam,u ciebie}|jak {leci,tam}|jak ci mija dzień|co tam słychać',
    thanks:
      'dzięki|dziękuję|dziękuje|dziękuję {bardzo,ślicznie,uprzejmie,serdecznie,panu,pani}|bardzo {dziękuję,dziękuje}|{wielkie,serdeczne,stokrotne} dzięki|dziękówka|dzięki {wielkie,bardzo}|{to,} {mi,} {bardzo,} pomogło|{bardzo,} pomocne|{to,} było {bardzo,} pomocne|nie mam więcej pytań',
    praise:
      '{to jest,jest,} {super,świetnie,super,doskonale,idealnie,wspaniale,rewelacja,ekstra,znakomicie,bardzo dobrze,fajnie,perfekcyjnie,cudownie}|{dobra,świetna} {robota,odpowiedź}|jesteś {super,świetny,najlepszy,wspaniały}|{to,} działa|zadziałało|udało się|brawo|cieszę się',
    goodbye:
      'do {widzenia,zobaczenia,jutra,usłyszenia,następnego razu}|na razie|pa|papa|pa pa|żegnaj|żegnam|miłego {dnia,wieczoru,weekendu,popołudnia}|dobranoc|to {wszystko,by było wszystko}|to tyle|narka|nara|trzymaj się',
    okay: 'tak|no tak|jasne|pewnie|oczywiście|dobrze|dobra|okej|w porządku|rozumiem|zrozumiałem|zrozumiałam|zgoda|zgadza się|dokładnie|racja|właśnie|nie ma {problemu,sprawy}|nie szkodzi|nic nie szkodzi|może|spróbuję|chętnie|spoko|sorki|przepraszam|no dobra|no dobrze|jasne tak|wiem',
    no: 'nie|nie teraz|raczej nie|nieważne|nie trzeba|nie potrzeba|nic|nic więcej|zapomnij|niekoniecznie|nie bardzo|nie dziękuję',
    bot: '{czy,} {jesteś,to jest,to,jest pan,jest pani} {bot,botem,chatbot,chatbotem,robot,robotem,maszyną,komputerem,ai,człowiekiem,prawdziwym człowiekiem,prawdziwą osobą,człowiek,prawdziwy,sztuczną inteligencją,automatem,człowiekiem czy botem,botem czy człowiekiem,robotem czy człowiekiem,żywym człowiekiem}|{czy,} {rozmawiam,piszę} z {botem,robotem,człowiekiem,maszyną,prawdziwym człowiekiem,ai,prawdziwą osobą}|kim {jesteś,pan jest,pani jest}|kto {to,tam}|czym jesteś|jak {się nazywasz,masz na imię}|z kim {rozmawiam,piszę,mam przyjemność}',
    abilities:
      'pomoc|pomocy|pomóż|pomóż mi|{potrzebuję,potrzebna mi,potrzebuje} {pomocy,pomoc,twojej pomocy}|{czy,} {możesz,może pan,może pani,mógłbyś,mogłabyś} mi pomóc|{czy,} możesz pomóc|co {potrafisz,umiesz,możesz,wiesz} {robić,zrobić,dla mnie zrobić,}|co robisz|jak {możesz,mógłbyś} mi pomóc|w czym {możesz,może pan,może pani} {mi,} pomóc|o co {mogę,można} {cię,} {pytać,zapytać}|mam {pytanie,pytania,kilka pytań,jedno pytanie,problem}|{czy,} {mogę,mogłbym} {o coś,} {zapytać,spytać,zadać pytanie}|{czy,} {mogę,mógłbym} o coś {zapytać,spytać}|pytanie|menu|start',
    upset:
      '{to jest,to,jesteś,jesteście,to było} {zupełnie,całkowicie,kompletnie,naprawdę,taki,} {bezużyteczne,bezużyteczny,bez sensu,głupie,głupi,śmieszne,okropne,straszne,beznadziejne,beznadziejny,do bani,żart,kpina,żenada,bzdura,bzdury,idiotą,idiota,frustrujące,skandal,strata czasu,niedorzeczne,denerwujące,niedopuszczalne,tragedia,dramat}|{głupi,durny,bezużyteczny} {bot,robot}|zamknij się|kurwa|cholera|spierdalaj|odwal się|idiota|debil|nienawidzę {cię,tego}|{to,to jest,} {nieprawda,błąd,źle,niepoprawne,zła odpowiedź,błędna odpowiedź,nieprawidłowe,fałsz}|{to,} {nie,} {nie jest prawda,nie jest prawdą,nie tak,nie jest poprawne,nieprawda,nie o to chodzi,nie o to pytałem,nie o to pytałam,nie jest pomocne}|mylisz się|{to,} {mi,} {nie pomaga,nie pomogło,nic nie daje,w niczym nie pomaga}|to mi {w ogóle,wcale,} nie {pomaga,pomogło}|nie {rozumiesz,pomagasz,słuchasz} {mnie,mi,}|nie {odpowiedziałeś,odpowiadasz} na {moje,} pytanie|nie o to {pytałem,pytałam,pytam}|jestem {bardzo,} {zły,zła,wściekły,wściekła,sfrustrowany,sfrustrowana,zdenerwowany,zdenerwowana,rozczarowany,rozczarowana,niezadowolony,niezadowolona}|co za {żart,kpina,bzdura,żenada,porażka}|żartujesz|chyba żartujesz|żartujecie|jaja sobie robicie|{fatalna,beznadziejna,okropna} obsługa|dzięki za nic|już mówiłem|już mówiłam|porażka|beznadzieja|masakra|bez sensu',
    filler:
      'wszystkim|wszystkich|wszyscy|wam|jeszcze raz|ponownie|znowu|bardzo|proszę|za {wszystko,pomoc,odpowiedź,informację,informacje,info,szybką odpowiedź,cierpliwość}|i|a|to|no|więc|nawzajem|wzajemnie|również|tobie|panu|pani|państwu|też|drogi|na teraz|na razie|dzisiaj|a ty|naprawdę|serio|o',
  },
  tr: {
    greeting:
      'merhaba|merhabalar|selam|selamlar|selamün aleyküm|sa|slm|mrb|günaydın|iyi {günler,akşamlar,sabahlar,çalışmalar}|tünaydın|{orada,} kimse var mı|orada mısın|orada mısınız|memnun oldum|deneme|alo|hoş bulduk',
    wellBeing:
      'nasılsın|nasılsınız|naber|ne haber|nasıl gidiyor|ne var ne yok|iyi misin|iyi misiniz|keyifler nasıl',
    thanks:
      'teşekkürler|teşekkür ederim|{çok,} {teşekkür ederim,teşekkürler,teşekkür,sağ ol,sağ olun,sağol,sağolun}|tşk|tşkler|eyvallah|minnettarım|{çok,} {yardımcı oldu,yardımcı oldun,yardımcı oldunuz,faydalı oldu,işime yaradı}|başka sorum yok|elinize sağlık',
    praise:
      '{bu,çok,} {harika,mükemmel,süper,güzel,çok güzel,muhteşem,şahane,iyi,çok iyi,müthiş}|{iyi,güzel} {cevap,iş}|aferin|{harikasın,süpersin,çok iyisin,en iyisisin,harikasınız}|{işe yaradı,çalıştı,çalışıyor,oldu}|sevindim',
    goodbye:
      'güle güle|hoşça kal|hoşça kalın|hoşçakal|hoşçakalın|görüşürüz|görüşmek üzere|{sonra,yarın,yakında} görüşürüz|iyi geceler|kendine iyi bak|kendinize iyi bakın|{bu kadar,hepsi bu}|iyi {hafta sonları,tatiller}|bay bay|allaha ısmarladık|hoşçakalınız',
    okay: 'evet|tamam|tamamdır|tmm|peki|olur|tabii|tabi|tabii ki|elbette|anladım|anlıyorum|anlaşıldı|doğru|aynen|aynen öyle|kesinlikle|pekala|sorun değil|sorun yok|önemli değil|belki|deneyeceğim|denerim|uygun|kabul|pardon|özür dilerim|kusura bakma|kusura bakmayın|he|eh|oldu o zaman',
    no: 'hayır|yok|şimdi değil|gerek yok|gerekli değil|boş ver|boşver|hiç|hiçbir şey|pek değil|unut gitsin|sanmıyorum|istemiyorum',
    bot: '{sen,siz,} {bir,} {bot,robot,chatbot,makine,bilgisayar,insan,gerçek,yapay zeka,gerçek bir insan,gerçek insan,gerçek bir kişi} {musun,mısın,misin,musunuz,mısınız,misiniz,mu,mi}|{bir,} {bot,robot,insan,botla,robotla,insanla,makineyle,yapay zekayla,gerçek bir insanla,gerçek biriyle} {mu,mı,mi} {konuşuyorum,konuşuyoruz,yazışıyorum,görüşüyorum}|{sen,siz,} {kimsin,kimsiniz,nesin,nesiniz}|adın ne|adınız ne|ismin ne|isminiz ne|kiminle {konuşuyorum,görüşüyorum}|bot musun insan mı|robot musun insan mı|insan mısın robot mu|insan mısın bot mu',
    abilities:
      'yardım|yardım et|yardım edin|{bana,} yardım {eder misin,eder misiniz,edebilir misin,edebilir misiniz,lazım,istiyorum}|{yardıma,yardımına,yardımınıza} ihtiyacım var|{neler,ne} {yapabilirsin,yapabilirsiniz,yapabiliyorsun,biliyorsun,yaparsın}|ne yapıyorsun|{bana,} nasıl yardımcı {olabilirsin,olabilirsiniz}|{hangi konuda,hangi konularda,ne konuda} {yardımcı olabilirsin,yardımcı olabilirsiniz}|{sana,size,} {ne,neler} sorabilirim|{bir,birkaç,} {sorum,sorularım} var|bir {sorunum,problemim} var|{bir şey,soru} sorabilir miyim|bir soru|soru|menü|başla|başlat',
    upset:
      '{bu,sen,siz,çok,tam bir,} {çok,tamamen,tam,} {saçma,saçmalık,gereksiz,işe yaramaz,aptal,aptalsın,salak,salaksın,gerizekalı,rezalet,berbat,berbatsın,korkunç,komik değil,kötü,şaka,sinir bozucu,kabul edilemez,zaman kaybı,utanç verici,skandal,faydasız,işe yaramazsın,yetersiz}|{aptal,salak,gereksiz,işe yaramaz} {bot,robot}|kapa çeneni|siktir|siktir git|kahretsin|lanet olsun|defol|senden nefret ediyorum|nefret ediyorum|{bu,} {yanlış,doğru değil,yanlış cevap,hatalı}|yanlış cevap|yanlışsın|{bu,} {bana,} {hiç,} {yardımcı olmadı,yardımcı olmuyor,işe yaramadı,işe yaramıyor,işime yaramadı}|{beni,} {hiç,} {anlamıyorsun,anlamadın,anlamıyorsunuz,dinlemiyorsun}|sorumu cevaplamadın|sorumun cevabı {bu değil,değil}|{onu,bunu} sormadım|çok {kızgınım,sinirliyim,öfkeliyim,hayal kırıklığına uğradım,sinirlendim}|{kızgınım,sinirliyim,öfkeliyim,bıktım}|{şaka mı bu,dalga mı geçiyorsun,dalga mı geçiyorsunuz,şaka mı yapıyorsun}|ne {saçmalık,rezalet,biçim hizmet}|{kötü,berbat,rezil} {hizmet,servis}|zaten söyledim|yeter artık|yazıklar olsun|yeter',
    filler:
      'herkese|tekrar|tekrardan|yine|lütfen|arkadaşlar|arkadaşım|dostum|hocam|{yardımın,yardımınız,yardımlarınız,cevabın,cevabınız,bilgi,her şey,ilginiz} için|o zaman|ve|çok|size|size de|sana|sana da|sizlere|siz|sen|da|de|ya|ee|gerçekten|şimdilik|bugün|bey|hanım|efendim|ederim|ki|i̇yi',
  },
  ar: {
    greeting:
      'مرحبا|مرحبًا|مرحبا بك|مرحبا بكم|أهلا|أهلا وسهلا|أهلا بك|هلا|هلا والله|السلام عليكم|السلام عليكم ورحمة الله {وبركاته,}|سلام|سلام عليكم|وعليكم السلام|صباح {الخير,النور}|مساء {الخير,النور}|هاي|الو|هل من أحد هنا|{هل,} {يوجد,في} أحد {هنا,}|تشرفنا|تحية طيبة|تحياتي',
    wellBeing:
      'كيف {حالك,حالكم,الحال,انت,الاحوال}|كيفك|شلونك|ازيك|عامل ايه|اخبارك|ما اخبارك|كيف {تسير,} الأمور|هل انت بخير',
    thanks:
      'شكرا|{شكرا,الشكر} {لك,لكم} {كثيرا,جزيلا,}|شكرا {جزيلا,كثيرا,جدا}|جزاك الله {خيرا,كل خير}|ألف شكر|مشكور|مشكورين|تسلم|أشكرك|أشكركم|ممتن {لك,}|{هذا,} {مفيد,مفيد جدا}|{لقد,} ساعدني {هذا,ذلك} {كثيرا,}|لا أسئلة أخرى|ليس لدي أسئلة أخرى|متشكر|يعطيك العافية',
    praise:
      '{هذا,} {رائع,ممتاز,جميل,عظيم,مذهل,مثالي,جيد جدا,رائع جدا,جميل جدا}|أحسنت|{إجابة,عمل} {جيدة,رائعة,رائع,جيد,ممتازة,ممتاز}|أنت {رائع,ممتاز,الأفضل}|{لقد,} نجح {الأمر,}|برافو|حلو|كويس',
    goodbye:
      'وداعا|مع السلامة|إلى اللقاء|أراك {لاحقا,قريبا,غدا}|باي|تصبح على خير|{أتمنى لك,} {يوما سعيدا,يوما طيبا,يوم سعيد}|في أمان الله|هذا كل شيء|هذا كل ما {في الأمر,أريد}|نهارك سعيد|ليلة سعيدة|بالتوفيق',
    okay: 'نعم|أجل|اي|ايوه|أيوا|حسنا|تمام|طيب|اوك|اوكي|أوكي|موافق|فهمت|مفهوم|واضح|بالتأكيد|بالطبع|طبعا|أكيد|صحيح|بالضبط|لا مشكلة|لا بأس|ماشي|ربما|سأجرب|سأحاول|عفوا|آسف|اسف|المعذرة|جيد|زين|ان شاء الله|إن شاء الله|هذا صحيح',
    no: 'لا|كلا|ليس الآن|لا داعي|ليس ضروريا|لا يهم|انس الأمر|لا شيء|ليس حقا|لا شكرا|مش لازم|لا شيء آخر',
    bot: '{هل,} {أنت,انت} {بوت,روبوت,آلة,انسان,إنسان,إنسان حقيقي,شخص,شخص حقيقي,حقيقي,بشر,ذكاء اصطناعي,برنامج,آلي,رد آلي,انسان ام روبوت,روبوت ام انسان,إنسان أم روبوت,روبوت أم إنسان}|{هل,} {أتحدث,اتكلم,أتكلم} {مع,إلى} {بوت,روبوت,آلة,إنسان,شخص حقيقي,إنسان حقيقي,شخص}|من {أنت,انت,معي}|{ما,ماذا} {أنت,تكون}|ما {اسمك,هو اسمك}|مين انت|مع من {أتحدث,أتكلم}',
    abilities:
      'مساعدة|ساعدني|النجدة|{أحتاج,احتاج,أريد,اريد} {إلى,} {مساعدة,المساعدة,مساعدتك}|{هل,} {يمكنك,تستطيع,ممكن} {مساعدتي,أن تساعدني,ان تساعدني,تساعدني}|{ماذا,ما الذي} {يمكنك,تستطيع,يمكنك أن} {أن تفعل,ان تفعل,فعله,تفعل}|{ماذا,ما الذي} يمكنك أن {تفعل,تقدم} {لي,}|ماذا تفعل|كيف {يمكنك,تستطيع} {مساعدتي,أن تساعدني,ان تساعدني}|ماذا {يمكنني,أستطيع} أن {أسأل,أسألك}|{عن,} ماذا {يمكنني,أستطيع} {أن أسأل,أن أسألك,ان اسألك}|{لدي,عندي} {سؤال,أسئلة,استفسار,مشكلة,بعض الأسئلة}|{هل,} {يمكنني,ممكن} {أن أسأل,أن أسألك,ان اسال,طرح} {سؤالا,سؤال,}|سؤال|استفسار|القائمة|ابدأ',
    upset:
      '{هذا,أنت,انت,هذه} {حقا,} {عديم الفائدة,بلا فائدة,غبي,سخيف,سيء,سيئ,سيء جدا,سيئ جدا,فظيع,مزعج,محبط,مهزلة,هراء,أحمق,فاشل,غير مقبول,مضيعة للوقت,نكتة,كذب,زبالة}|{بوت,روبوت} {غبي,سيء,فاشل,عديم الفائدة}|غبي|أحمق|حمار|اخرس|اسكت|تبا|تبا لك|اللعنة|أكرهك|{هذا,} {خطأ,خاطئ,غير صحيح,ليس صحيحا,غلط,غير مفيد,ليس مفيدا,ليس جوابا}|{إجابة,جواب} {خاطئة,خاطئ,خطأ}|{هذا,} {لا يساعدني,لا يفيدني,لا يساعد,لا يفيد,لم يساعدني,لم يفدني,لم يساعد}|{أنت,} {لا تفهم,لا تفهمني,لم تفهم,لا تساعدني,لم تفهمني,لم تساعدني}|لم تجب {على,عن} سؤالي|لم تجب|{هذا,} ليس {ما سألت عنه,سؤالي,ما أريد,ما طلبته,ما قصدت}|{أنا,انا} {غاضب,غاضبة,غاضب جدا,محبط,محبطة,مستاء,مستاءة,منزعج,منزعجة}|هل {تمزح,تمزح معي}|{أسوأ,خدمة} {خدمة,سيئة,سيئة جدا,فاشلة}|لا فائدة {منك,}|شكرا على لا شيء|قلت {لك,} ذلك|ما هذا الهراء|مستحيل|حسبي الله ونعم الوكيل',
    filler:
      'جميعا|للجميع|مرة أخرى|من فضلك|لو سمحت|رجاء|على {المساعدة,مساعدتك,مساعدتكم,الرد,ردك,المعلومات,كل شيء,الإجابة,سرعة الرد}|لمساعدتك|لمساعدتكم|لك|لكم|جدا|كثيرا|جزيلا|يا {صديقي,أخي,صاحبي}|أخي|صديقي|بك|بكم|وأنت|وانت|أيضا|حقا|الآن|اليوم|و|أيها البوت|إذن|يا',
  },
  ja: {
    greeting:
      'こんにちは|こんにちわ|こんばんは|こんばんわ|おはよう|おはようございます|はじめまして|初めまして|やあ|どうも|もしもし|ハロー|ヘイ|お世話になっております|お世話になります|お疲れ様です|お疲れさまです|失礼します|{誰か,どなたか}{いますか,いらっしゃいますか}|テスト|よろしく|{よろしく,宜しく}お願い{します,いたします,致します}|ご苦労様です',
    wellBeing:
      'お元気ですか|元気ですか|元気|調子はどう{ですか,}|ご機嫌いかがですか|いかがお過ごしですか|最近どう{ですか,}',
    thanks:
      'ありがとう|ありがとうございます|ありがとうございました|{本当に,どうも,大変,}ありがとう{ございます,ございました,}|有難う{ございます,ございました,}|有り難うございます|サンキュー|感謝します|感謝{いたします,しています}|助かりました|助かります|{とても,大変,}参考になりました|{とても,}役に立ちました|もう質問はありません|あざす|あざっす|サンクス',
    praise:
      '{とても,}{素晴らしい,すばらしい,すごい,完璧,最高,いいね,いいですね,良いですね,いい}{です,ですね,}|さすが{です,ですね,}|よくできました|うまくいきました|できました|解決しました|よかった{です,}|良かった{です,}|お見事{です,}|やった',
    goodbye:
      'さようなら|さよなら|バイバイ|じゃあね|じゃね|またね|また{後で,明日,今度}|では失礼します|失礼いたします|失礼しました|おやすみ{なさい,}|以上です|それだけです|良い一日を|よい一日を|お疲れ様でした|それでは{また,}|ではまた',
    okay: 'はい|ええ|うん|うんうん|そうです|そうですね|そう|了解|了解です|了解しました|承知しました|承知いたしました|承知|わかりました|分かりました|わかった|分かった|なるほど|もちろん{です,}|その通りです|その通り|大丈夫{です,}|問題ありません|問題ない{です,}|いいよ|いいです{よ,}|オーケー|オッケー|オケ|試してみます|やってみます|たぶん|多分|すみません|すいません|ごめん{なさい,}|申し訳ありません|そうなんですね|へえ|ふーん|うーん|えっと|笑|草|ｗ|お願いします',
    no: 'いいえ|いえ|いや|ううん|違います|ちがいます|結構です|けっこうです|いりません|要りません|必要ありません|今はいいです|別に|特にありません|特にないです|特にない|何でもない{です,}|なんでもない{です,}|いいえ結構です|不要です|ないです|ありません',
    bot: '{あなたは,君は,これは,}{ボット,ロボット,人間,機械,AI,人,本物の人間,本物,コンピューター,チャットボット,人工知能,自動応答}{ですか,なの,なのですか,なんですか,か,}|{ボット,ロボット,AI,人間}それとも{人間,ボット,AI,ロボット}{ですか,}|{人間,ロボット,AI,機械,ボット,人}と話して{いますか,いるのですか,いるんですか,るの,ますか}|{あなた,君,きみ}は{誰,だれ,何者,何}{ですか,なの,}|誰ですか|どなたですか|だれ|誰|{お名前,名前}は{何ですか,なんですか,何,}',
    abilities:
      'ヘルプ|助けて|助けて{ください,下さい}|手伝って{ください,下さい,}|{助け,サポート,手助け}が必要です|何ができ{ますか,るの,る}|なにができ{ますか,るの,る}|{あなたは,}{何,なに}が{できますか,できるの,出来ますか}|何を{聞け,質問でき,尋ねられ}ますか|何を聞いたらいいですか|{何,なに}を{して,手伝って}{くれますか,くれるの,もらえますか}|質問があります|質問です|質問|質問が{ある,あるのですが,あるんですが}|{聞きたい,お聞きしたい,伺いたい}ことがあります|質問{して,しても}{いいですか,よろしいですか}|聞いてもいいですか|{少し,ちょっと,}いいですか|困っています|相談があります|メニュー|開始|使い方',
    upset:
      '{これは,それは,あなたは,お前は,全然,まったく,本当に,}{役に立たない,使えない,役立たず,ひどい,最悪,くだらない,馬鹿,バカ,ばか,ばかげている,無意味,ふざけている,だめ,ダメ,駄目,イライラする,腹が立つ,意味がない,意味不明}{です,だ,な,ね,ですね,}|役に立ちません|役に立ちませんでした|使えません|{バカ,馬鹿,使えない,クソ}{ボット,ロボット,AI}|くそ|クソ|黙れ|うるさい|死ね|ふざけるな|ふざけないで|ふざけんな|いい加減にして{ください,}|{それは,これは,}{違う,間違い,間違っている,間違ってる,間違っています,間違いです,正しくない,正しくありません,嘘,嘘です}|答えになっていません|答えになってない|質問の答えになっていません|そうじゃない|そうではありません|そういうことじゃない|そんなことは聞いて{いない,いません,ない}|{全然,まったく,}{わかって,分かって,理解して}{いない,いません,ない,ません}|{怒って,イライラして,がっかりして,失望して}{います,いる,ます,る}|がっかりです|がっかりしました|もういい{です,}|なんだよ|冗談でしょ{う,}|{対応,サービス}が{悪い,ひどい,最悪}{です,}|納得できません|頭にくる|頭にきた|むかつく|ムカつく|嫌い',
    filler:
      'どうも|本当に|皆さん|みなさん|皆様|また|とても|大変|では|じゃあ|それでは|ね|よ|です|ございます|ください|あの|あのう|ボットさん|ご回答|ご対応|いただき|ください|ご丁寧に|わ|さん|とりあえず|今のところ|そして|あっ|あ|えーと',
  },
  zh: {
    greeting:
      '你好|您好|你好啊|你好呀|您好啊|哈喽|哈啰|哈罗|嗨|嘿|喂|大家好|早|早上好|早安|上午好|中午好|下午好|晚上好|{有人,有人在}{吗,嗎,么}|在吗|在嗎|在不在|在么|你在吗|您在吗|很高兴认识你|测试|測試|幸会',
    wellBeing:
      '{你,您,}{最近,今天,}{好吗,好嗎,怎么样,怎麼樣,还好吗,過得好嗎,过得好吗,过得怎么样}|你好吗|你好嗎|您好吗|吃了吗|近来如何',
    thanks:
      '谢谢|謝謝|谢谢{你,您,啦,了,你们,您们}|謝謝{你,您,啦,了}|{多谢,多謝,非常感谢,非常感謝,十分感谢,感谢,感謝,太感谢}{你,您,了,}|谢了|謝了|谢啦|{非常,太,十分}谢谢|辛苦了|{很,非常,}有{帮助,用,幫助}|{对我,}{很,非常}有{帮助,用}|帮了{我,}大忙|没有{其他,别的,}问题了|没问题了|麻烦你了|麻烦您了|3q',
    praise:
      '{真,太,很,非常,}{棒,好,赞,讚,厉害,厲害,完美,不错,不錯,优秀,精彩}{了,啊,}|做得好|干得好|{你,您}{真,太,很}{棒,厉害,聪明,好}{了,啊,}|回答得{很好,真好}|{成功,可以,解决,搞定}了|牛|牛逼|给力|点赞',
    goodbye:
      '再见|再見|拜拜|拜|回头见|{明天,下次,待会,一会,回头}见|晚安|就这样|就這樣|就这些|没别的了|没事了|没有了|{祝你,祝您,}{有,}{愉快,开心,}的一天|祝{你,您}{愉快,顺利}|先这样|慢走|保重|88|886',
    okay: '好|好的|好吧|好啊|好呀|好嘞|行|行吧|可以|是|是的|是啊|对|對|对的|對的|嗯|嗯嗯|恩|哦|噢|哦哦|明白|明白了|知道了|了解|了解了|懂了|收到|没错|沒錯|当然|當然|没问题|沒問題|没关系|沒關係|没事|不客气|可能吧|也许|我试试|我試試|试试看|确实|正确|原来如此|对不起|抱歉|不好意思|哈哈|哈哈哈|呵呵|嘻嘻|同意|要|好滴|好哒|欧克',
    no: '不|不是|不用|不用了|不需要|不要|不必|没有|沒有|算了|现在不用|暂时不用|暂时没有|没什么|沒什麼|不行|不了|还没|无所谓|不太',
    bot: '{你,您,这,這}{是,是不是}{机器人,機器人,真人,人,人类,人類,机器,機器,AI,人工智能,电脑,電腦,客服机器人,真的人,聊天机器人,一个机器人,个机器人}{吗,嗎,么,吧,啊,}|{你,您}是{机器人,真人,人,AI}还是{真人,人,机器人,AI,人类}|我{是在,在,是}{和,跟,与}{机器人,真人,人,AI,机器}{说话,聊天,对话}{吗,}|{你,您}是{谁,誰,什么,哪位}|{你,您}叫什么{名字,}|{你,您}的名字是什么|机器人',
    abilities:
      '帮助|幫助|帮我|帮帮我|幫幫我|请帮{我,帮我}|{我,}需要{帮助,幫助,帮忙}|{你,您,}{能,可以}{帮,帮助,幫}我{吗,嗎,一下吗,什么,做什么,做些什么,}|{你,您}{能,会,可以,會}{做,干,帮我做}{什么,些什么,什麼,啥,点什么}|{你,您}有什么{功能,用}|你会什么|{我,}{能,可以}问{你,您,}{什么,些什么,哪些问题,哪些}|{我,}{有,想问}{一个,个,几个,些,}{问题,疑问,問題}|{我,}想{问,咨询,请教}{一下,个问题,一个问题,}|{可以,能}问{你,您,}{一个,个,}问题吗|请问|請問|请问一下|问题|咨询|菜单|开始|如何使用你|救命',
    upset:
      '{你,您,这,這,这个,那,你们,}{真,太,很,真是,简直,就是,真的,完全,}{没用,沒用,垃圾,蠢,笨,傻,差劲,差,烂,糟糕,可笑,荒谬,离谱,过分,无语,恶心,烦,气人,浪费时间,扯淡,废物,白痴,智障,不行,不靠谱}{了,啊,}|{垃圾,傻逼,愚蠢的,没用的,笨}{机器人,客服,AI,}|傻逼|白痴|混蛋|闭嘴|閉嘴|滚|滾|滚开|去死|他妈的|妈的|操|靠|我讨厌{你,这个}|{这,那,你,这个,}{不对,不對,错了,錯了,是错的,不正确,不是真的,说错了,答错了,回答错了,回答不对,答非所问,不是这样}|不是这个意思|不是我{问的,要的,想要的}|我{不是,没}{问,说}{这个,这个问题}|{这,这个,}{没有,没,帮不了,对我没}{帮助,用,我}|{你,您}{没有,没}回答我的问题|{你,您,}{根本,}{不懂,听不懂,没听懂,不明白,没明白,不理解}{我的意思,我的问题,我,}|{你,}什么都不{知道,懂,会}|{我,}{很,太,非常,真的,}{生气,愤怒,失望,不满,不高兴,郁闷,气愤}{了,}|气死我了|{开什么,你在开}玩笑{吗,}|{什么,}{服务,态度}{太差,真差,很差,差}{了,}|什么破{东西,机器人,玩意}|我{已经,都}说过了|烦死了|受不了了|浪费{我的,}时间|有病',
    filler:
      '啊|呀|呢|了|吧|哦|哈|嘛|啦|呐|大家|各位|朋友|亲|亲爱的|客服|请|你的{帮助,回答,回复,解答}|您的{帮助,回答,回复,解答}|那|也|先|你|您|再次|暂时|目前|哎|唉|就',
  },
};
