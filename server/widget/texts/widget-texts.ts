/** Everything that the widget and the page say themselves. `{name}` and `{count}` are filled in. */
export interface WidgetTexts {
  readonly open: string;
  readonly close: string;
  readonly title: string;
  readonly greeting: string;
  readonly placeholder: string;
  readonly send: string;
  readonly you: string;
  readonly assistant: string;
  readonly understanding: string;
  readonly searching: string;
  readonly reading: string;
  readonly writing: string;
  readonly sources: string;
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
  readonly unavailable: string;
  readonly notFound: string;
  readonly switchedOff: string;
}
