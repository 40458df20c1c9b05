import type { SmallTalkData } from '../../small-talk.ts';

export const smallTalk: SmallTalkData = {
  phrases: {
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
    bot: '{ben je,ben jij,bent u,is dit,is dat} {een,} {bot,chatbot,robot,machine,computer,ai,mens,echt mens,persoon,echt persoon,echt,echte persoon,mens of een bot,robot of een mens,bot of een mens,automaat}|{praat,spreek,chat} ik met een {bot,robot,machine,computer,mens,echt mens,persoon,echt persoon,echte persoon}|wie {ben je,ben jij,bent u}|wat {ben je,ben jij,bent u}|hoe heet {je,jij,u}|wat is {je,jouw,uw} naam|met wie {spreek,praat,chat} ik|{is dit,is dat,ben je,ben jij,bent u} {een,} {echte mens,mens of robot,robot of mens,mens of een robot,machine of een mens,mens of een machine,echt persoon of een bot,persoon of een robot,chatbot of een mens,automatisch antwoord}|{praat,spreek,chat} ik {hier,nu,} met een {echte mens,mens of een robot,robot of een mens,mens of een machine,machine of een mens,chatbot,ai,mens of een bot,bot of een mens,echt mens of een robot}|{krijg ik,ik krijg} antwoord van een {robot,bot,machine,mens,computer,ai,echt persoon,echt mens}|antwoordt {hier,} een {robot,bot,machine,mens,echt mens,ai}',
    abilities:
      'hulp|help me|help mij|ik heb hulp nodig|{kun je,kan je,kunt u,kunnen jullie} {me,mij} {even,} helpen|wat {kun je,kan je,kunt u,kan jij} {allemaal,} {doen,voor me doen,voor mij doen,}|wat doe {je,jij}|wat weet {je,u}|hoe {kun je,kan je,kunt u} {me,mij} helpen|waarmee {kun je,kan je,kunt u} {me,mij} helpen|wat kan ik {je,jou,u,} {allemaal,} vragen|ik heb {een,even een,een paar,nog een} {vraag,vragen,vraagje}|ik heb een probleem|{mag,kan} ik {je,u,} {iets,wat} vragen|vraag|vraagje|menu|start',
    upset:
      '{dit is,dat is,je bent,u bent,het is,jullie zijn,wat} {echt,zo,totaal,helemaal,heel,een,} {nutteloos,waardeloos,stom,dom,belachelijk,verschrikkelijk,vreselijk,slecht,onzin,grap,schande,frustrerend,idioot,onacceptabel,irritant,ruk,kut,tijdverspilling,om te huilen}|{stomme,domme,waardeloze} {bot,robot}|hou je {mond,bek}|houd je mond|kut|klote|shit|godverdomme|verdomme|rot op|flikker op|idioot|sukkel|ik haat {je,dit}|{dat is,dit is,} {fout,verkeerd,niet goed,niet juist,niet waar,onjuist}|{dat,het} klopt {helemaal,} niet|{verkeerd,fout} antwoord|{dat,dit,daar} {helpt,hielp} {me,mij,} {helemaal,} {niet,niets}|daar heb ik niets aan|{dat,dit} is {niet,} {niet behulpzaam,mijn vraag niet,niet mijn vraag,niet wat ik vroeg,niet wat ik bedoel,wat ik vroeg niet}|{je begrijpt,u begrijpt,je snapt} {me,het,mij,} niet|je luistert niet|je beantwoordt mijn vraag niet|dat beantwoordt mijn vraag niet|ik ben {heel,erg,echt,} {boos,gefrustreerd,kwaad,woedend,teleurgesteld,ontevreden}|wat een {grap,onzin,schande,rommel,klotezooi}|maak je een grap|dit meen je niet|dat meen je niet|{slechte,waardeloze} {service,klantenservice}|bedankt voor niets|ik zei het al|waardeloos|nutteloos|belachelijk',
    filler:
      'nogmaals|allemaal|iedereen|alsjeblieft|alstublieft|aub|even|voor {alles,de hulp,je hulp,uw hulp,het antwoord,je antwoord,uw antwoord,de info,de informatie,de moeite,de snelle reactie}|hoor|dan|nou|nu|wel|echt|heel|erg|en|u ook|jij ook|jou ook|insgelijks|met jou|met u|daar|mensen|team|voorlopig|voor nu|dus|zo',
  },
  replies: {
    greeting: 'Goedendag en welkom bij {name}. Wat wilt u weten?',
    wellBeing: 'Goed, bedankt voor het vragen. Wat kan ik voor u doen?',
    thanks: 'Graag gedaan. Als u nog iets wilt weten, vraag het gerust.',
    praise: 'Fijn om te horen. Als u nog iets wilt weten, vraag het gerust.',
    goodbye: 'Tot ziens, en alle goeds van {name}.',
    okay: 'Goed. Wat wilt u nog meer weten?',
    no: 'Goed. Als u nog iets wilt weten, vraag het gerust.',
    bot: 'U praat met een machine, niet met een mens: ik ben de automatische assistent van {name} en beantwoord vragen uit de documenten.',
    abilities:
      'Ik ben de automatische assistent van {name}: ik beantwoord vragen uit de documenten en noem de bron. Schrijf uw vraag in uw eigen woorden.',
    upset:
      'Het spijt me dat dit niet goed gaat. Als u mij met andere woorden zegt wat u nodig hebt, zoek ik opnieuw.',
    topics: 'U kunt mij bijvoorbeeld vragen over: {topics}.',
    person: 'Wilt u dat ik iemand van het team erbij haal?',
  },
};
