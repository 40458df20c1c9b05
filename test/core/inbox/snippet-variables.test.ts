import { expect, test } from 'vitest';
import { checkVariables } from '../../../core/inbox/snippet-variables.ts';

test('a text may name what is known of a conversation, with a word for when it is not', () => {
  for (const text of [
    '',
    'Hello {{customer.first_name|there}}',
    '{{ agent.name }}',
    'a {{ brace',
    'a }} brace',
  ]) {
    checkVariables(text);
  }
});

test.each(['{{customer.firstname}}', 'Hello {{name|there}}', '{{}}', '{{customer.name}} {{x}}'])(
  '%s is refused with the names that there are',
  (text) => {
    expect(() => checkVariables(text)).toThrow(/is not known\. Use customer\.name, customer\.first_name/);
  },
);
