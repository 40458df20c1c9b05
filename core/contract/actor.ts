/** The maker of a change. The id is null for API keys, processes and the operator's token. A person has one, whatever they are called. */
export interface Actor {
  readonly id: string | null;
  readonly name: string;
}

/** An API key, a skill, a visitor or a process, such as `snooze` and `retention`. */
export function namedActor(name: string): Actor {
  return { id: null, name };
}

/** The actor of changes with the operator's token or the command line. */
export const operatorActor: Actor = { id: null, name: 'operator' };
