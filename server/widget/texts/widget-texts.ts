/** Everything that the widget and the page say themselves. `{name}` and `{count}` are filled in. */
export interface WidgetTexts {
  readonly open: string;
  readonly close: string;
  readonly title: string;
  readonly greeting: string;
  readonly placeholder: string;
  /** Stands in the field in place of `placeholder` while a person reads along. */
  readonly message: string;
  readonly send: string;
  readonly you: string;
  readonly assistant: string;
  readonly understanding: string;
  readonly searching: string;
  readonly reading: string;
  readonly writing: string;
  readonly sources: string;
  /** Above pages that are near to a question without an answer. */
  readonly related: string;
  readonly helpful: string;
  readonly unhelpful: string;
  readonly whatWasWrong: string;
  readonly sendComment: string;
  readonly thanks: string;
  readonly askMachine: string;
  readonly human: string;
  /** Said by the visitor, in the conversation. */
  readonly askHuman: string;
  readonly waiting: string;
  readonly withPerson: string;
  /** For browsers without scripts, while a person is to reply. */
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
  readonly notFound: string;
  readonly switchedOff: string;
  /** Below `notFound`. */
  readonly lost: string;
  readonly start: string;
}
