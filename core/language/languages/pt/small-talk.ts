import type { SmallTalkData } from '../../small-talk.ts';

export const smallTalk: SmallTalkData = {
  phrases: {
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
    bot: '{você é,tu és,és,é,o senhor é} {um,uma,} {bot,chatbot,robô,robot,máquina,computador,ia,inteligência artificial,humano,humana,ser humano,pessoa,pessoa real,pessoa de verdade,real,robô ou uma pessoa,bot ou uma pessoa,humano ou um robô}|{estou falando,estou a falar,falo} com {um,uma} {bot,robô,robot,máquina,pessoa,pessoa real,humano,ia}|isto é um {bot,robô,robot}|isso é um {bot,robô}|quem {é você,és tu,és,é}|o que {é você,és,você é}|{qual é,qual} {o,} {seu,teu} nome|como {você se chama,te chamas,se chama}|com quem {estou falando,estou a falar,falo}|quem {te criou,te fez,criou você}|{isto é,isso é,este é,esta é} {um,uma,} {máquina,bot,robô,robot,chatbot,ia,pessoa,pessoa real,humano,resposta automática,robô ou uma pessoa,pessoa ou um robô}|{você é,tu és,és,é,o senhor é} {um,uma,} {humano ou robô,robô ou humano,pessoa ou robô,robô ou pessoa,humano ou máquina,pessoa ou máquina,humano ou um bot,bot ou humano,pessoa ou um robô,pessoa ou uma máquina,máquina ou uma pessoa}|{estou falando,estou a falar,falo,estou conversando} com {um,uma} {pessoa de verdade,ser humano,robô ou uma pessoa,pessoa ou um robô,máquina ou uma pessoa,pessoa ou uma máquina,robô ou um humano,humano ou um robô,chatbot,computador}|quem {responde,me responde,está respondendo,está a responder} é {um,uma} {robô,robot,bot,máquina,pessoa,humano,ia,pessoa real}',
    abilities:
      'ajuda|me ajuda|me ajude|ajude-me|ajuda-me|socorro|{preciso,eu preciso} de {ajuda,uma ajuda,sua ajuda}|{você pode,pode,podes,poderia,você poderia} me ajudar|{pode,podes,poderia} ajudar-me|{você pode,pode,podes} ajudar|o que {você pode,você sabe,podes,sabes,pode,sabe} fazer {por mim,}|o que {você faz,fazes,faz}|como {você pode,pode,podes} {me ajudar,ajudar-me,ajudar}|em que {você pode,pode,podes} {me ajudar,ajudar-me,ajudar}|o que {eu,} posso perguntar|{tenho,eu tenho} {uma,umas,algumas} {pergunta,perguntas,dúvida,dúvidas}|tenho um problema|posso {fazer,te fazer,lhe fazer} uma pergunta|{uma,} {pergunta,dúvida}|menu|começar|início',
    upset:
      '{isto é,isso é,é,você é,és,isto,isso foi,tu és} {muito,tão,totalmente,completamente,um,uma,} {inútil,estúpido,burro,ridículo,terrível,horrível,péssimo,lixo,merda,piada,vergonha,frustrante,idiota,imbecil,absurdo,ruim,perda de tempo,inaceitável,palhaçada}|{bot,robô} {inútil,estúpido,burro,idiota}|cala a boca|cale a boca|cala-te|merda|porra|caralho|vai se foder|vai-te foder|vai à merda|que droga|te odeio|odeio {isto,isso,você}|idiota|inútil|{isso,isto,} está {errado,errada,mal,incorreto}|{resposta,} {errada,errado,incorreta}|{isso,isto,} não {está certo,é verdade,é correto,está correto,é isso,foi o que perguntei,é o que perguntei,é verdade,tem nada a ver}|não foi {isso,isto} que {eu,} perguntei|{isso,isto,} não {me,} {ajuda,ajudou,serve,serviu,resolve} {em nada,de nada,para nada,nada,}|{você,tu,} não {me,} {entende,entendeu,entendes,percebe,percebeste,ajuda,respondeu,escuta,sabe nada} {nada,}|não respondeu {à minha pergunta,a minha pergunta,}|não serve {para nada,pra nada}|{estou,eu estou,tô} {muito,} {irritado,irritada,frustrado,frustrada,furioso,furiosa,zangado,zangada,chateado,chateada,decepcionado,decepcionada,com raiva}|que {vergonha,absurdo,merda,palhaçada,piada,desastre}|{está,tá} {brincando,de brincadeira,a brincar,a gozar}|{péssimo,pior} {serviço,atendimento}|já disse {isso,isto}|obrigado por nada|não acredito|{este,esse} {bot,robô,chat} é {muito,} {inútil,burro,ruim,péssimo}|não é {o que eu queria,isso que eu queria}|não faz sentido',
    filler:
      'a todos|pessoal|gente|de novo|outra vez|amigo|amiga|por favor|pfv|pela {ajuda,resposta,informação,atenção,paciência}|pelas informações|por {tudo,ajudar,responder}|muito|mesmo|e|então|aí|bem|para você|pra você|para ti|igualmente|também|e você|e tu|hoje|já|eu|por enquanto|por agora|é|ah|você|da ajuda',
  },
  replies: {
    greeting: 'Olá, boas-vindas a {name}. O que gostaria de saber?',
    wellBeing: 'Tudo bem, obrigado por perguntar. Em que posso ajudar?',
    thanks: 'De nada. Se tiver mais alguma dúvida, é só perguntar.',
    praise: 'Fico feliz em saber. Se tiver mais alguma dúvida, é só perguntar.',
    goodbye: 'Até breve, e tudo de bom da parte de {name}.',
    okay: 'Certo. O que mais gostaria de saber?',
    no: 'Certo. Se tiver mais alguma dúvida, é só perguntar.',
    bot: 'Está a falar com uma máquina, não com um ser humano: sou o assistente automático de {name} e respondo com base nos seus documentos.',
    abilities:
      'Sou o assistente automático de {name}: respondo com base nos seus documentos e indico a fonte. Escreva a sua pergunta com as suas palavras.',
    upset:
      'Lamento que não esteja a correr bem. Se me disser com outras palavras do que precisa, procuro de novo.',
    topics: 'Pode perguntar-me, por exemplo, sobre: {topics}.',
    person: 'Gostaria que eu chamasse uma pessoa da equipe?',
  },
};
