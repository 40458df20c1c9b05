/** The texts that visitors read, apart from answers, and mails to the team. English has all of them and takes the place of a missing one. */
export interface LanguageTexts {
  /** The answer to a question without one. */
  readonly fallback: string;
  readonly disclosure: DisclosureTexts;
  /** The text below one of several questions that has no answer. */
  readonly missingPart: string;
  /** The text before a section that may be the answer. */
  readonly unsure: string;
  /** If a skill needs a visitor who is signed in. */
  readonly signIn: string;
  /** After a skill failed. */
  readonly skillFailure: string;
  /** The text below an answer that another page contradicts. */
  readonly disagreement: (one: QuotedPage, other: QuotedPage) => string;
  readonly channel: ChannelTexts;
  readonly handover: HandoverWording;
  readonly lead: LeadWording;
  readonly digest: DigestTexts;
}

/** A sentence of a page, with the day of its last change. */
export interface QuotedPage {
  readonly text: string;
  readonly title: string;
  readonly date: string;
}

/** Says that a machine answers. */
interface DisclosureTexts {
  readonly machine: string;
  /** Left out where no person can be asked for. */
  readonly person: string;
}

/** The product's own texts in channels. */
export interface ChannelTexts {
  readonly greeting: string;
  readonly help: string;
  /** Reply to a message that contains only files. */
  readonly unreadable: string;
  /** The end of the answer to a message with both text and files. */
  readonly filesUnread: string;
  /** The text before the page that may help, if no answer was found. */
  readonly mayHelp: string;
  /** Sent if no answer could be generated. */
  readonly trouble: string;
  /** Sent if the workspace's quota is used up. */
  readonly unavailable: string;
  /** The question after a person resolved the conversation. */
  readonly askRating: string;
  readonly rated: string;
}

/** The texts of the handover to a person. */
export interface HandoverWording {
  readonly passedOn: string;
  readonly alreadyKnown: string;
  /** The text during support hours. */
  readonly shortly: string;
  /** Without support hours: promises no time. */
  readonly someTime: string;
  readonly backOn: (when: HandoverTime) => string;
}

export interface HandoverTime {
  /** The weekday, with its date if it is far ahead. */
  readonly day: string;
  readonly time: string;
  readonly zone: string;
}

/**
 * The texts of the skill that records contact details. Every request for data and every confirmation states its purpose.
 */
export interface LeadWording {
  readonly askForAll: string;
  /** The visitor's name is known. */
  readonly askForContact: (name: string) => string;
  /** `details` are the visitor's details as written. */
  readonly noted: (details: string) => string;
  /** The visitor's contact details are already known. */
  readonly requestNoted: string;
  readonly askForName: string;
  readonly nameNoted: (name: string) => string;
  readonly declined: string;
  /** The visitor's contact details were stored before. */
  readonly nameDeclined: string;
  /** The text after the last attempt without contact details. */
  readonly gaveUp: string;
}

/** The mail to a member of the team with what they have not seen. */
export interface DigestTexts {
  readonly subject: (conversations: number, workspace: string) => string;
  readonly mention: (actor: string) => string;
  readonly assignment: (actor: string | null) => string;
  readonly continuation: string;
  readonly visitor: string;
  readonly more: (count: number) => string;
  readonly switchOff: string;
}
