import type { LanguageTexts } from '../../language-texts.ts';

export const texts: LanguageTexts = {
  fallback:
    'I could not find an answer to that in the documents I have. Please try other words, or ask to speak to a person.',
  unsure: 'I am not sure; this may be it:',
  disclosure: {
    machine: 'A machine answers from our help pages.',
    person: 'You can ask for a person at any time.',
  },
  missingPart: 'I found no answer to this in the documents I have.',
  signIn: 'For that I have to know for sure who you are. Please sign in and ask again.',
  skillFailure: 'I could not do that just now. Please try again in a moment, or ask for a person.',
  disagreement: (one, other) =>
    `Our pages disagree here: «${one.text}» (${one.title}, ${one.date}); «${other.text}» (${other.title}, ${other.date}).`,
  channel: {
    greeting:
      'Hello! Ask me anything, and I will look for the answer. Ask for a person whenever you would rather speak to one.',
    help: 'Write your question in your own words. I answer from our documents and name where the answer is from. Ask for a person whenever you would rather speak to one.',
    unreadable: 'I cannot read pictures, recordings and files yet. Please write your question as text.',
    filesUnread: 'I have not seen what you attached: I cannot read pictures, recordings and files yet.',
    mayHelp: 'This may help',
    trouble:
      'I could not make an answer just now. Please try again in a moment, or ask to speak to a person.',
    unavailable: 'I cannot answer questions at the moment. Please ask to speak to a person.',
    askRating: 'How did we do? Answer with a number from 1 (bad) to 5 (very good).',
    rated: 'Thank you for your rating.',
  },
  handover: {
    passedOn: 'I have passed this conversation on to our team.',
    alreadyKnown: 'Our team already knows of this conversation.',
    shortly: 'Someone will be with you here shortly.',
    someTime: 'A person will answer you here.',
    backOn: ({ day, time, zone }) =>
      `Our team is back on ${day} at ${time} (${zone}) and will answer you here.`,
  },
  lead: {
    askForAll:
      'Please tell me your name and an e-mail address or a phone number, so that our team can get in touch with you.',
    askForContact: (name) =>
      `Thank you, ${name}. Please tell me an e-mail address or a phone number, so that our team can get in touch with you.`,
    noted: (details) =>
      `Thank you. I have noted ${details}, so that our team can get in touch with you. Someone will contact you.`,
    requestNoted:
      'Thank you. I have noted your request. Our team will get in touch with you through the contact details that we have of you.',
    askForName: 'What is your name, so that our team knows whom to ask for?',
    nameNoted: (name) =>
      `Thank you, ${name}. I have noted your name, so that our team can get in touch with you.`,
    declined: 'All right. I have not noted any contact details.',
    nameDeclined: 'All right, without a name then. Our team will get in touch with you.',
    gaveUp:
      'Without an e-mail address or a phone number our team cannot get in touch with you. You can ask me for it again at any time.',
  },
  digest: {
    subject: (count, workspace) =>
      count === 1
        ? `1 conversation waits for you in ${workspace}`
        : `${count} conversations wait for you in ${workspace}`,
    mention: (actor) => `${actor} mentioned you in a note`,
    assignment: (actor) =>
      actor === null ? 'A conversation was assigned to you' : `${actor} assigned you a conversation`,
    continuation: 'A conversation of yours goes on after its end',
    visitor: 'a visitor',
    more: (count) => `and ${count} more`,
    switchOff: 'Switch these mails off',
  },
};
