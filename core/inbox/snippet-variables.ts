import { AppError } from '../base/errors.ts';

/** The variables of snippets: `{{customer.first_name}}`, or `{{customer.first_name|there}}` with a word if it is unknown. */
export const snippetVariables = [
  'customer.name',
  'customer.first_name',
  'customer.email',
  'agent.name',
  'agent.first_name',
  'workspace.name',
  'conversation.id',
] as const;

/** Throws `invalid_body` if the text names something that no snippet can name. Pure. */
export function checkVariables(text: string): void {
  const unknown = namesIn(text).find((name) => !snippetVariables.some((known) => known === name));
  if (unknown === undefined) return;
  throw new AppError('invalid_body', {
    detail: `{{${unknown}}} is not known. Use ${snippetVariables.join(', ')}, each with a word for when it is unknown if you want: {{customer.first_name|there}}.`,
  });
}

function namesIn(text: string): readonly string[] {
  const [, ...parts] = text.split('{{');
  return parts.flatMap((part) => {
    const end = part.indexOf('}}');
    return end < 0 ? [] : [part.slice(0, end).split('|', 1)[0]?.trim() ?? ''];
  });
}
