import type { LanguageTexts } from '../../language-texts.ts';

export const texts: Partial<LanguageTexts> = {
  fallback:
    "Je n'ai pas trouvé de réponse dans les documents dont je dispose. Essayez avec d'autres mots, ou demandez à parler à une personne.",
  unsure: "Je n'en suis pas sûr ; c'est peut-être ceci :",
  disclosure: {
    machine: 'Une machine répond à partir de nos pages d’aide.',
    person: 'Vous pouvez à tout moment demander une personne.',
  },
  missingPart: "Je n'ai pas trouvé de réponse à cela dans les documents dont je dispose.",
  signIn:
    "Pour cela, je dois savoir avec certitude qui vous êtes. Connectez-vous et posez la question à nouveau, s'il vous plaît.",
  skillFailure:
    "Je n'ai pas pu le faire pour l'instant. Réessayez dans un moment, ou demandez à parler à une personne.",
  disagreement: (one, other) =>
    `Nos pages se contredisent ici : «${one.text}» (${one.title}, ${one.date}); «${other.text}» (${other.title}, ${other.date}).`,
  channel: {
    greeting:
      'Bonjour ! Posez-moi votre question, je cherche la réponse. Demandez à parler à une personne si vous préférez.',
    help: "Écrivez votre question avec vos propres mots. Je réponds d'après nos documents et j'indique d'où vient la réponse. Demandez à parler à une personne si vous préférez.",
    unreadable:
      'Je ne sais pas encore lire les images, les enregistrements et les fichiers. Écrivez votre question, s’il vous plaît.',
    filesUnread:
      'Je n’ai pas vu ce que vous avez joint : je ne sais pas encore lire les images, les enregistrements et les fichiers.',
    mayHelp: 'Ceci peut vous aider',
    trouble:
      "Je n'ai pas pu répondre à l'instant. Réessayez dans un moment, ou demandez à parler à une personne.",
    unavailable: 'Je ne peux pas répondre aux questions pour le moment. Demandez à parler à une personne.',
    askRating: 'Êtes-vous satisfait de notre aide ? Répondez par un chiffre de 1 (mauvais) à 5 (très bien).',
    rated: 'Merci pour votre note.',
  },
  handover: {
    passedOn: "J'ai transmis cette conversation à notre équipe.",
    alreadyKnown: 'Notre équipe est déjà au courant de cette conversation.',
    shortly: "Quelqu'un va vous répondre ici dans un instant.",
    someTime: 'Une personne vous répondra ici.',
    backOn: ({ day, time, zone }) =>
      `Notre équipe sera de retour le ${day} à ${time} (${zone}) et vous répondra ici.`,
  },
  lead: {
    askForAll:
      'Indiquez-moi votre nom et une adresse e-mail ou un numéro de téléphone, afin que notre équipe puisse vous contacter.',
    askForContact: (name) =>
      `Merci, ${name}. Indiquez-moi une adresse e-mail ou un numéro de téléphone, afin que notre équipe puisse vous contacter.`,
    noted: (details) =>
      `Merci. J'ai noté ${details}, afin que notre équipe puisse vous contacter. Quelqu'un vous contactera.`,
    requestNoted:
      "Merci. J'ai noté votre demande. Notre équipe vous contactera par les coordonnées que nous avons de vous.",
    askForName: 'Quel est votre nom, afin que notre équipe sache qui demander ?',
    nameNoted: (name) => `Merci, ${name}. J'ai noté votre nom, afin que notre équipe puisse vous contacter.`,
    declined: "D'accord. Je n'ai noté aucune coordonnée.",
    nameDeclined: "D'accord, sans nom alors. Notre équipe vous contactera.",
    gaveUp:
      'Sans adresse e-mail ni numéro de téléphone, notre équipe ne peut pas vous contacter. Vous pouvez me le redemander à tout moment.',
  },
};
