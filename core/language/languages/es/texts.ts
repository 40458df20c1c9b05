import type { LanguageTexts } from '../../language-texts.ts';

export const texts: Partial<LanguageTexts> = {
  fallback:
    'No he encontrado una respuesta en los documentos que tengo. Pruebe con otras palabras o pida hablar con una persona.',
  unsure: 'No estoy seguro; puede que sea esto:',
  disclosure: {
    machine: 'Responde una máquina a partir de nuestras páginas de ayuda.',
    person: 'Puede pedir hablar con una persona en cualquier momento.',
  },
  missingPart: 'No he encontrado una respuesta a esto en los documentos que tengo.',
  signIn: 'Para eso necesito saber con certeza quién es usted. Inicie sesión y pregunte de nuevo.',
  skillFailure:
    'No he podido hacerlo en este momento. Inténtelo de nuevo dentro de un momento o pida hablar con una persona.',
  disagreement: (one, other) =>
    `Nuestras páginas se contradicen aquí: «${one.text}» (${one.title}, ${one.date}); «${other.text}» (${other.title}, ${other.date}).`,
  channel: {
    greeting:
      '¡Hola! Pregúnteme lo que quiera y buscaré la respuesta. Si lo prefiere, pida hablar con una persona.',
    help: 'Escriba su pregunta con sus propias palabras. Respondo con nuestros documentos y digo de dónde es la respuesta. Si lo prefiere, pida hablar con una persona.',
    unreadable:
      'Todavía no puedo leer imágenes, grabaciones ni archivos. Escriba su pregunta como texto, por favor.',
    filesUnread: 'No he visto lo que ha adjuntado: todavía no puedo leer imágenes, grabaciones ni archivos.',
    mayHelp: 'Esto puede ayudarle',
    trouble:
      'No he podido responder en este momento. Inténtelo de nuevo dentro de poco o pida hablar con una persona.',
    unavailable: 'En este momento no puedo responder preguntas. Pida hablar con una persona, por favor.',
    askRating: '¿Qué tal lo hemos hecho? Responda con un número del 1 (mal) al 5 (muy bien).',
    rated: 'Gracias por su valoración.',
  },
  handover: {
    passedOn: 'He pasado esta conversación a nuestro equipo.',
    alreadyKnown: 'Nuestro equipo ya tiene esta conversación.',
    shortly: 'En breve le atenderá alguien aquí.',
    someTime: 'Una persona le responderá aquí.',
    backOn: ({ day, time, zone }) =>
      `Nuestro equipo vuelve el ${day} a las ${time} (${zone}) y le responderá aquí.`,
  },
  lead: {
    askForAll:
      'Dígame su nombre y un correo electrónico o un teléfono, para que nuestro equipo pueda ponerse en contacto con usted.',
    askForContact: (name) =>
      `Gracias, ${name}. Dígame un correo electrónico o un teléfono, para que nuestro equipo pueda ponerse en contacto con usted.`,
    noted: (details) =>
      `Gracias. He anotado ${details}, para que nuestro equipo pueda ponerse en contacto con usted. Alguien le contactará.`,
    requestNoted:
      'Gracias. He anotado su petición. Nuestro equipo se pondrá en contacto con usted por los datos que ya tenemos.',
    askForName: '¿Cómo se llama, para que nuestro equipo sepa por quién preguntar?',
    nameNoted: (name) =>
      `Gracias, ${name}. He anotado su nombre, para que nuestro equipo pueda ponerse en contacto con usted.`,
    declined: 'De acuerdo. No he anotado ningún dato de contacto.',
    nameDeclined: 'De acuerdo, sin nombre entonces. Nuestro equipo se pondrá en contacto con usted.',
    gaveUp:
      'Sin un correo electrónico o un teléfono, nuestro equipo no puede ponerse en contacto con usted. Puede pedírmelo de nuevo cuando quiera.',
  },
};
