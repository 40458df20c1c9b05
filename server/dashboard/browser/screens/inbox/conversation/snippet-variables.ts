/** The values of the variables that snippets can name; null or empty if they are unknown. */
export interface VariableValues {
  readonly 'customer.name': string | null;
  readonly 'customer.email': string | null;
  readonly 'agent.name': string;
  readonly 'workspace.name': string;
  readonly 'conversation.id': string;
}

/** Splits a text at `{{` and at the `}}` after it: the name of each variable, its word, and the text that follows. */
function split(text: string) {
  const [before = '', ...parts] = text.split('{{');
  return {
    before,
    variables: parts.map((part) => {
      const end = part.indexOf('}}');
      const [name = '', word] = part.slice(0, Math.max(0, end)).split('|', 2);
      return { part, name: name.trim(), word: word?.trim(), after: part.slice(end + 2) };
    }),
  };
}

/**
 * Puts values in the place of `{{customer.first_name}}`, or the word of `{{customer.first_name|there}}` if the value is unknown. A
 * variable with neither stays, and so does what is none.
 */
export function fillVariables(text: string, values: VariableValues): string {
  const { before, variables } = split(text);
  return variables.reduce((filled, { part, name, word, after }) => {
    const value = isVariable(name) ? variableNames[name](values) || word : undefined;
    return filled + (value === undefined ? `{{${part}` : value + after);
  }, before);
}

/** Returns the first variable that is still in a text, such as `{{customer.name}}`; null if there is none. Pure. */
export function findOpenVariable(text: string): string | null {
  const open = split(text).variables.find(({ name }) => isVariable(name));
  return open === undefined ? null : `{{${open.name}}}`;
}

const variableNames = {
  'customer.name': (values) => values['customer.name'],
  'customer.first_name': (values) => firstWord(values['customer.name']),
  'customer.email': (values) => values['customer.email'],
  'agent.name': (values) => values['agent.name'],
  'agent.first_name': (values) => firstWord(values['agent.name']),
  'workspace.name': (values) => values['workspace.name'],
  'conversation.id': (values) => values['conversation.id'],
} as const satisfies Record<string, (values: VariableValues) => string | null>;

function isVariable(name: string): name is keyof typeof variableNames {
  return Object.hasOwn(variableNames, name);
}

function firstWord(name: string | null): string | null {
  return name?.trim().split(' ', 1)[0] ?? null;
}
