import type { LanguageTexts } from '../../language-texts.ts';

export const texts: Partial<LanguageTexts> = {
  fallback:
    'Não encontrei uma resposta nos documentos que tenho. Tente com outras palavras ou peça para falar com uma pessoa.',
  unsure: 'Não tenho a certeza; talvez seja isto:',
  disclosure: {
    machine: 'Quem responde é uma máquina, com base nas nossas páginas de ajuda.',
    person: 'Pode pedir para falar com uma pessoa a qualquer momento.',
  },
  missingPart: 'Não encontrei uma resposta a isto nos documentos que tenho.',
  signIn: 'Para isso preciso de saber com certeza quem é. Inicie sessão e pergunte de novo.',
  skillFailure:
    'Não consegui fazer isso agora. Tente novamente dentro de momentos ou peça para falar com uma pessoa.',
  channel: {
    greeting:
      'Olá! Pergunte o que quiser e eu procuro a resposta. Se preferir, peça para falar com uma pessoa.',
    help: 'Escreva a sua pergunta com as suas palavras. Respondo com base nos nossos documentos e digo de onde vem a resposta. Se preferir, peça para falar com uma pessoa.',
    unreadable: 'Ainda não consigo ler imagens, gravações e arquivos. Escreva a sua pergunta, por favor.',
    filesUnread: 'Não vi o que anexou: ainda não consigo ler imagens, gravações e arquivos.',
    mayHelp: 'Isto pode ajudar',
    trouble:
      'Não consegui responder agora. Tente novamente dentro de momentos ou peça para falar com uma pessoa.',
    unavailable: 'De momento não posso responder a perguntas. Peça para falar com uma pessoa.',
    askRating: 'Como nos saímos? Responda com um número de 1 (mau) a 5 (muito bom).',
    rated: 'Obrigado pela sua avaliação.',
  },
  handover: {
    passedOn: 'Passei esta conversa para a nossa equipe.',
    alreadyKnown: 'Nossa equipe já sabe desta conversa.',
    shortly: 'Alguém falará com você aqui em breve.',
    someTime: 'Uma pessoa responderá a você aqui.',
    backOn: ({ day, time, zone }) =>
      `Nossa equipe estará de volta ${day}, às ${time} (${zone}), e responderá a você aqui.`,
  },
  lead: {
    askForAll:
      'Diga-me o seu nome e um e-mail ou um telefone, para que a nossa equipe possa entrar em contato com você.',
    askForContact: (name) =>
      `Obrigado, ${name}. Diga-me um e-mail ou um telefone, para que a nossa equipe possa entrar em contato com você.`,
    noted: (details) =>
      `Obrigado. Anotei ${details}, para que a nossa equipe possa entrar em contato com você. Alguém fará contato.`,
    requestNoted:
      'Obrigado. Anotei o seu pedido. A nossa equipe entrará em contato com você pelos dados que já temos.',
    askForName: 'Qual é o seu nome, para que a nossa equipe saiba por quem perguntar?',
    nameNoted: (name) =>
      `Obrigado, ${name}. Anotei o seu nome, para que a nossa equipe possa entrar em contato com você.`,
    declined: 'Tudo bem. Não anotei nenhum dado de contato.',
    nameDeclined: 'Tudo bem, sem nome então. A nossa equipe entrará em contato com você.',
    gaveUp:
      'Sem um e-mail ou um telefone, a nossa equipe não pode entrar em contato com você. Pode pedir de novo quando quiser.',
  },
};
