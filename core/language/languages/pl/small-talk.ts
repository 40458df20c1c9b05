import type { SmallTalkData } from '../../small-talk.ts';

export const smallTalk: SmallTalkData = {
  phrases: {
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
    bot: '{czy,} {jesteś,to jest,to,jest pan,jest pani} {bot,botem,chatbot,chatbotem,robot,robotem,maszyną,komputerem,ai,człowiekiem,prawdziwym człowiekiem,prawdziwą osobą,człowiek,prawdziwy,sztuczną inteligencją,automatem,człowiekiem czy botem,botem czy człowiekiem,robotem czy człowiekiem,żywym człowiekiem}|{czy,} {rozmawiam,piszę} z {botem,robotem,człowiekiem,maszyną,prawdziwym człowiekiem,ai,prawdziwą osobą}|kim {jesteś,pan jest,pani jest}|kto {to,tam}|czym jesteś|jak {się nazywasz,masz na imię}|z kim {rozmawiam,piszę,mam przyjemność}|{czy,} {to jest,to} {maszyna,robot,bot,chatbot,człowiek,prawdziwy człowiek,sztuczna inteligencja,automatyczna odpowiedź,bot czy człowiek,człowiek czy bot,robot czy człowiek,człowiek czy robot,maszyna czy człowiek,człowiek czy maszyna}|{czy,} {jesteś,jest pan,jest pani} {człowiekiem czy robotem,człowiekiem czy maszyną,maszyną czy człowiekiem,prawdziwą osobą czy botem}|{czy,} {rozmawiam,piszę} z {prawdziwą osobą,żywym człowiekiem,człowiekiem czy botem,botem czy człowiekiem,człowiekiem czy robotem,robotem czy człowiekiem,człowiekiem czy maszyną,maszyną czy człowiekiem,komputerem,automatem,chatbotem,sztuczną inteligencją}|{czy,} {odpisuje,odpowiada} mi {bot,robot,maszyna,automat,człowiek,prawdziwy człowiek,komputer}',
    abilities:
      'pomoc|pomocy|pomóż|pomóż mi|{potrzebuję,potrzebna mi,potrzebuje} {pomocy,pomoc,twojej pomocy}|{czy,} {możesz,może pan,może pani,mógłbyś,mogłabyś} mi pomóc|{czy,} możesz pomóc|co {potrafisz,umiesz,możesz,wiesz} {robić,zrobić,dla mnie zrobić,}|co robisz|jak {możesz,mógłbyś} mi pomóc|w czym {możesz,może pan,może pani} {mi,} pomóc|o co {mogę,można} {cię,} {pytać,zapytać}|mam {pytanie,pytania,kilka pytań,jedno pytanie,problem}|{czy,} {mogę,mogłbym} {o coś,} {zapytać,spytać,zadać pytanie}|{czy,} {mogę,mógłbym} o coś {zapytać,spytać}|pytanie|menu|start',
    upset:
      '{to jest,to,jesteś,jesteście,to było} {zupełnie,całkowicie,kompletnie,naprawdę,taki,} {bezużyteczne,bezużyteczny,bez sensu,głupie,głupi,śmieszne,okropne,straszne,beznadziejne,beznadziejny,do bani,żart,kpina,żenada,bzdura,bzdury,idiotą,idiota,frustrujące,skandal,strata czasu,niedorzeczne,denerwujące,niedopuszczalne,tragedia,dramat}|{głupi,durny,bezużyteczny} {bot,robot}|zamknij się|kurwa|cholera|spierdalaj|odwal się|idiota|debil|nienawidzę {cię,tego}|{to,to jest,} {nieprawda,błąd,źle,niepoprawne,zła odpowiedź,błędna odpowiedź,nieprawidłowe,fałsz}|{to,} {nie,} {nie jest prawda,nie jest prawdą,nie tak,nie jest poprawne,nieprawda,nie o to chodzi,nie o to pytałem,nie o to pytałam,nie jest pomocne}|mylisz się|{to,} {mi,} {nie pomaga,nie pomogło,nic nie daje,w niczym nie pomaga}|to mi {w ogóle,wcale,} nie {pomaga,pomogło}|nie {rozumiesz,pomagasz,słuchasz} {mnie,mi,}|nie {odpowiedziałeś,odpowiadasz} na {moje,} pytanie|nie o to {pytałem,pytałam,pytam}|jestem {bardzo,} {zły,zła,wściekły,wściekła,sfrustrowany,sfrustrowana,zdenerwowany,zdenerwowana,rozczarowany,rozczarowana,niezadowolony,niezadowolona}|co za {żart,kpina,bzdura,żenada,porażka}|żartujesz|chyba żartujesz|żartujecie|jaja sobie robicie|{fatalna,beznadziejna,okropna} obsługa|dzięki za nic|już mówiłem|już mówiłam|porażka|beznadzieja|masakra|bez sensu',
    filler:
      'wszystkim|wszystkich|wszyscy|wam|jeszcze raz|ponownie|znowu|bardzo|proszę|za {wszystko,pomoc,odpowiedź,informację,informacje,info,szybką odpowiedź,cierpliwość}|i|a|to|no|więc|nawzajem|wzajemnie|również|tobie|panu|pani|państwu|też|drogi|na teraz|na razie|dzisiaj|a ty|naprawdę|serio|o',
  },
  replies: {
    greeting: 'Dzień dobry, tu {name}. W czym mogę pomóc?',
    wellBeing: 'Wszystko dobrze, dziękuję. W czym mogę pomóc?',
    thanks: 'Nie ma za co. W razie dalszych pytań proszę śmiało pytać.',
    praise: 'Cieszę się. W razie dalszych pytań proszę śmiało pytać.',
    goodbye: 'Do widzenia, wszystkiego dobrego od {name}.',
    okay: 'Dobrze. Czego jeszcze można się ode mnie dowiedzieć? Proszę pytać.',
    no: 'Dobrze. W razie dalszych pytań proszę śmiało pytać.',
    bot: 'Odpowiada Państwu maszyna, a nie człowiek: jestem automatycznym asystentem {name} i odpowiadam na podstawie dokumentów.',
    abilities:
      'Jestem automatycznym asystentem {name}: odpowiadam na podstawie dokumentów i podaję źródło. Proszę napisać pytanie własnymi słowami.',
    upset:
      'Przykro mi, że nie idzie to dobrze. Proszę napisać innymi słowami, czego potrzeba, a poszukam jeszcze raz.',
    topics: 'Można mnie zapytać na przykład o: {topics}.',
    person: 'Czy mam poprosić kogoś z zespołu?',
  },
};
