/** The texts of the widget and the hosted page. `{name}`, `{count}` and `{when}` are placeholders. */
export interface WidgetTexts {
  readonly open: string;
  readonly close: string;
  readonly title: string;
  readonly greeting: string;
  readonly placeholder: string;
  /** Replaces `placeholder` in the input field while an agent handles the conversation. */
  readonly message: string;
  readonly send: string;
  readonly you: string;
  readonly assistant: string;
  readonly understanding: string;
  readonly searching: string;
  readonly reading: string;
  readonly writing: string;
  readonly sources: string;
  /** The heading of pages related to a question that has no answer. */
  readonly related: string;
  readonly helpful: string;
  readonly unhelpful: string;
  readonly whatWasWrong: string;
  readonly sendComment: string;
  readonly thanks: string;
  /** The two buttons below an answer that says it is unsure. */
  readonly thatHelped: string;
  readonly askPerson: string;
  /** When the document of such an answer was changed last. */
  readonly changed: string;
  readonly askMachine: string;
  readonly human: string;
  /** The visitor's own message in the conversation. */
  readonly askHuman: string;
  readonly waiting: string;
  readonly withPerson: string;
  /** An agent writes. */
  readonly typing: string;
  /** Shown in browsers without scripts while an agent's reply is pending. */
  readonly reload: string;
  readonly contact: string;
  readonly email: string;
  readonly save: string;
  readonly saved: string;
  readonly offline: string;
  readonly limited: string;
  readonly quota: string;
  readonly failed: string;
  readonly retry: string;
  readonly cut: string;
  readonly older: string;
  readonly unread: string;
  readonly copy: string;
  readonly copied: string;
  readonly machine: string;
  readonly attach: string;
  readonly detach: string;
  readonly attached: string;
  readonly tooLarge: string;
  readonly wrongKind: string;
  readonly notAttached: string;
  readonly tooMany: string;
  readonly tooLong: string;
  readonly unavailable: string;
  /** Shown if no person closed it. */
  readonly closed: string;
  readonly closedBy: string;
  readonly howWasIt: string;
  /** The five scores, from 1 to 5. */
  readonly veryBad: string;
  readonly bad: string;
  readonly middling: string;
  readonly good: string;
  readonly veryGood: string;
  readonly addComment: string;
  readonly sendRating: string;
  readonly rated: string;
  readonly notFound: string;
  readonly switchedOff: string;
  /** Shown below `notFound`. */
  readonly lost: string;
  readonly start: string;
}
