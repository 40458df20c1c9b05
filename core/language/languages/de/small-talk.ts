import type { SmallTalkData } from '../../small-talk.ts';

export const smallTalk: SmallTalkData = {
  phrases: {
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
    bot: '{bist du,sind sie} {ein,eine,} {bot,chatbot,roboter,maschine,computer,ki,mensch,echter mensch,echt,echte person,person,künstliche intelligenz,automat,mensch oder ein bot,mensch oder eine maschine,mensch oder maschine,bot oder ein mensch}|{rede,spreche,chatte,schreibe} ich mit {einem,einer} {bot,roboter,maschine,computer,menschen,echten menschen,mensch,ki,echten person}|ist das {ein,eine} {bot,chatbot,roboter,ki,maschine,mensch}|wer {bist du,sind sie}|was {bist du,sind sie}|wie {heißt du,heißen sie}|wie ist {dein,ihr} name|mit wem {rede,spreche,schreibe,chatte} ich|wer hat {dich,sie} {gemacht,gebaut,programmiert,entwickelt}|{ist,sind} {das,dies,dieses} {hier,} {ein,eine,} {maschine,automatische antwort,automatische antworten,echter mensch,echte person,mensch oder ein bot,mensch oder eine maschine,mensch oder ein roboter,bot oder ein mensch,roboter oder ein mensch,künstliche intelligenz}|{bist du,sind sie} {ein,eine,} {mensch oder ein roboter,mensch oder roboter,roboter oder ein mensch,roboter oder mensch,mensch oder eine ki,ki oder ein mensch,mensch oder bot,bot oder mensch,maschine oder ein mensch,maschine oder mensch,echter mensch oder ein bot}|{rede,spreche,chatte,schreibe} ich {hier,gerade,jetzt,} mit {einem,einer} {echten menschen,richtigen menschen,menschen oder einem bot,menschen oder einer maschine,menschen oder einem roboter,bot oder einem menschen,roboter oder einem menschen,maschine oder einem menschen,echten person,computer,chatbot,automaten,bot,roboter,maschine,menschen,ki}|{antwortet,schreibt,spricht} {hier,da,mir,} {hier,mir,} {ein,eine} {bot,roboter,maschine,ki,computer,mensch,echter mensch,mensch oder eine ki,mensch oder ein bot,mensch oder eine maschine,bot oder ein mensch,maschine oder ein mensch,ki oder ein mensch}|{sitzt,ist} {da,dort,hier} {ein,eine} {echter mensch,mensch,richtiger mensch,echte person,bot}',
    abilities:
      'hilfe|hilf mir|helfen sie mir|ich {brauche,bräuchte,benötige} {bitte,} {hilfe,deine hilfe,ihre hilfe,unterstützung}|{kannst du,können sie} mir {bitte,} helfen|was {kannst du,können sie} {alles,} {tun,machen,für mich tun,}|was {weißt du,wissen sie} {alles,}|was machst du|wie {kannst du,können sie} {mir,} helfen|wobei {kannst du,können sie} {mir,} helfen|was {kann,darf} ich {dich,sie,} {alles,} fragen|ich {habe,hab,hätte} {eine,mal eine,da eine,ein paar,noch eine} {frage,fragen}|ich {habe,hab} ein problem|{kann,darf} ich {dich,sie,} {etwas,was,mal was} fragen|frage|menü|start|was {kannst du,können sie} {noch,sonst,sonst noch} {tun,machen,}',
    upset:
      '{das ist,du bist,sie sind,ihr seid,das war,ist} {doch,echt,so,völlig,total,absolut,wirklich,einfach,} {nutzlos,dumm,blöd,doof,lächerlich,schrecklich,furchtbar,schlecht,sinnlos,quatsch,unsinn,ein witz,mist,scheiße,unverschämt,eine frechheit,frustrierend,ärgerlich,nervig,zeitverschwendung,ein idiot,inakzeptabel}|{blöder,dummer,doofer,nutzloser,scheiß} {bot,roboter,chatbot}|idiot|depp|trottel|arschloch|halt {die klappe,den mund,die fresse}|klappe|scheiße|mist|verdammt|fick dich|leck mich|{das ist,das war,} {falsch,nicht richtig,nicht hilfreich,nicht wahr,nicht korrekt}|{das stimmt,stimmt} {so,gar,} nicht|falsche antwort|das hilft {mir,} {so,gar,überhaupt,} nicht {weiter,}|das hat {mir,} nicht geholfen|das war nicht meine frage|das habe ich nicht {gefragt,gemeint}|{du verstehst,sie verstehen} {mich,das,} {gar,} nicht|das beantwortet {meine frage,} nicht meine frage|das beantwortet meine frage nicht|{ich bin,bin} {so,sehr,echt,total,} {sauer,wütend,frustriert,verärgert,genervt,enttäuscht}|{das nervt,du nervst,nervig}|so ein {mist,quatsch,unsinn}|{willst du mich,wollen sie mich} {verarschen,veräppeln}|das darf doch nicht wahr sein|das kann doch nicht {wahr,euer ernst,ihr ernst} sein|danke für nichts|{schlechter,mieser,schlechtester} {service,kundenservice,bot}|{keine,} frechheit|ich hasse {dich,das}|unverschämt|so kommen wir nicht weiter|unbrauchbar|nutzlos|lächerlich|du kannst {gar,} nichts|{dieser,der} {bot,chat,chatbot} ist {so,echt,total,völlig,einfach,} {nutzlos,dumm,blöd,schlecht,furchtbar,schrecklich,mist}|das {meinte,wollte} ich nicht|das habe ich nicht gewollt|das ergibt keinen sinn|ich bin verwirrt',
    filler:
      'nochmal|noch mal|zusammen|alle|allerseits|leute|bitte|sehr|schon|mal|dann|also|na|so|und|für {die,deine,ihre,eure} {hilfe,antwort,auskunft,schnelle antwort,info,mühe,informationen,geduld}|dafür|dir|ihnen|euch|auch|gleichfalls|ebenfalls|du blöder bot|echt|wirklich|liebes team|liebe leute|noch|doch|erstmal|vorerst|ach|fürs erste',
  },
  replies: {
    greeting: 'Guten Tag und willkommen bei {name}. Was möchten Sie wissen?',
    wellBeing: 'Danke der Nachfrage, mir geht es gut. Was kann ich für Sie tun?',
    thanks: 'Gern geschehen. Wenn Sie noch etwas wissen möchten, fragen Sie einfach.',
    praise: 'Das freut mich. Wenn Sie noch etwas wissen möchten, fragen Sie einfach.',
    goodbye: 'Auf Wiedersehen und alles Gute von {name}.',
    okay: 'Gut. Was möchten Sie noch wissen?',
    no: 'In Ordnung. Wenn Sie noch etwas wissen möchten, fragen Sie einfach.',
    bot: 'Sie sprechen mit einer Maschine, nicht mit einem Menschen: Ich bin der automatische Assistent von {name} und beantworte Fragen aus den Unterlagen.',
    abilities:
      'Ich bin der automatische Assistent von {name}: Ich beantworte Fragen aus den Unterlagen und nenne die Quelle. Schreiben Sie Ihre Frage einfach in eigenen Worten.',
    upset:
      'Es tut mir leid, dass das gerade nicht gut läuft. Wenn Sie mir mit anderen Worten sagen, was Sie brauchen, suche ich noch einmal.',
    topics: 'Sie können mich zum Beispiel hierzu fragen: {topics}.',
    person: 'Möchten Sie, dass ich jemanden aus dem Team dazuhole?',
  },
};
