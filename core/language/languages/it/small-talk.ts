import type { SmallTalkData } from '../../small-talk.ts';

export const smallTalk: SmallTalkData = {
  phrases: {
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
    bot: '{sei,è,lei è} {un,una,un’,} {bot,chatbot,robot,macchina,computer,ia,intelligenza artificiale,umano,umana,essere umano,persona,persona vera,persona reale,vero,reale,robot o una persona,bot o una persona,umano o un robot}|{sto parlando,parlo} con {un,una} {bot,robot,macchina,persona,persona vera,umano,ia}|questo è un {bot,robot}|{chi,cosa} {sei,è lei}|come {ti chiami,si chiama}|qual è il {tuo,suo} nome|con chi {parlo,sto parlando}|chi ti ha {creato,fatto,programmato}|{è,questa è,questo è,è questa,è questo} {un,una,} {macchina,bot,robot,chatbot,ia,persona,persona vera,umano,risposta automatica,robot o una persona,persona o un robot,umano o un robot}|{sei,è,lei è} {un,una} {umano o una macchina,macchina o un umano,robot o un umano,umano o un bot,bot o un umano,persona o un bot,persona o un robot,persona o una macchina,vera persona}|{sto parlando,parlo,sto chattando} con {un,una} {essere umano,vera persona,persona reale,persona o un robot,robot o una persona,umano o un robot,persona o una macchina,macchina o una persona,chatbot,computer}|{mi,} {risponde,sta rispondendo} {un,una} {bot,robot,macchina,persona,persona vera,ia,umano}',
    abilities:
      'aiuto|aiutami|mi aiuti|{ho bisogno,avrei bisogno} {di aiuto,d’aiuto,di una mano,del tuo aiuto}|{puoi,può,potresti,potrebbe} aiutarmi|mi {puoi,può,potresti,potrebbe} aiutare|{cosa,che cosa,che} {puoi,sai,può,sa} fare {per me,}|cosa fai|cosa sai|come {puoi,può} aiutarmi|come mi puoi aiutare|in cosa {puoi,può} aiutarmi|cosa posso {chiedere,chiederti,chiederle}|{ho,avrei} {una,delle,alcune} {domanda,domande}|ho un problema|posso {fare,farti,farle} una domanda|{una,} domanda|menu|inizio|inizia',
    upset:
      '{è,sei,questo è,questa è,siete} {davvero,veramente,proprio,totalmente,un,una,} {inutile,stupido,ridicolo,terribile,orribile,pessimo,spazzatura,scherzo,vergogna,frustrante,idiota,scemo,cretino,assurdo,schifo,deludente,perdita di tempo,inaccettabile,imbecille}|{bot,robot} {inutile,stupido}|stupido {bot,robot}|zitto|stai zitto|merda|cazzo|vaffanculo|che schifo|fai schifo|fate schifo|ti odio|idiota|inutile|{è,questo è,quello è,} {sbagliato,falso,scorretto}|non è {vero,corretto,giusto,quello che ho chiesto,così,utile,questa la domanda}|{risposta,} {sbagliata,errata}|ti sbagli|{questo,} non {mi,} {aiuta,serve,è stato d’aiuto,è utile,ha aiutato} {per niente,a niente,affatto,}|non {capisci,hai capito,capite,mi capisci,rispondi,mi ascolti} {niente,nulla,}|non hai risposto {alla mia domanda,}|non ho chiesto questo|non servi a {niente,nulla}|sono {molto,davvero,} {arrabbiato,arrabbiata,frustrato,frustrata,furioso,furiosa,stufo,stufa,deluso,delusa}|{che,ma che} {vergogna,schifo,disastro,scherzo}|mi prendi in giro|state scherzando|stai scherzando|{pessimo,peggior} servizio|l’ho già detto|grazie di niente|non è possibile|basta|questo {bot,chat} {è,fa} {davvero,proprio,} {inutile,stupido,pessimo,schifo}|non è quello che {volevo,intendevo}|non ha senso',
    filler:
      'a tutti|di nuovo|ancora|tanto|molto|per favore|per piacere|per {tutto,l’aiuto,il tuo aiuto,la risposta,le informazioni,l’informazione,il supporto}|dell’aiuto|e|allora|davvero|a te|a lei|anche a te|anche a lei|altrettanto|e tu|lei|bene|dai|ragazzi|eh|per ora|proprio',
  },
  replies: {
    greeting: 'Salve, le diamo il benvenuto da {name}. Che cosa desidera sapere?',
    wellBeing: 'Bene, grazie per averlo chiesto. Che cosa posso fare per Lei?',
    thanks: 'Prego. Se ha altre domande, chieda pure.',
    praise: 'Mi fa piacere. Se ha altre domande, chieda pure.',
    goodbye: 'Arrivederci, e un saluto da {name}.',
    okay: "Va bene. Che cos'altro desidera sapere?",
    no: 'Va bene. Se ha altre domande, chieda pure.',
    bot: "Sta parlando con una macchina, non con un essere umano: sono l'assistente automatico di {name} e rispondo in base ai suoi documenti.",
    abilities:
      "Sono l'assistente automatico di {name}: rispondo in base ai suoi documenti e indico la fonte. Scriva la Sua domanda con parole Sue.",
    upset:
      'Mi dispiace che non stia andando bene. Se mi dice con altre parole di che cosa ha bisogno, cerco di nuovo.',
    topics: 'Può chiedermi, per esempio, di: {topics}.',
    person: 'Desidera che chiami una persona del team?',
  },
};
