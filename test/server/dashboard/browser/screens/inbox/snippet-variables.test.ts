import { describe, expect, test } from 'vitest';
import { snippetVariables } from '../../../../../../core/inbox/snippet-variables.ts';
import {
  fillVariables,
  findOpenVariable,
} from '../../../../../../server/dashboard/browser/screens/inbox/conversation/snippet-variables.ts';

const values = {
  'customer.name': 'Ann Lee',
  'customer.email': null,
  'agent.name': 'Maya Reid',
  'workspace.name': 'Tea shop',
  'conversation.id': 'conv_1',
};

describe('the variables of a snippet', () => {
  test.each([
    ['Hello {{customer.first_name}}, {{agent.first_name}} here.', 'Hello Ann, Maya here.'],
    ['{{ customer.name | there }}', 'Ann Lee'],
    ['We write to {{customer.email|you}}.', 'We write to you.'],
    ['We write to {{customer.email}}.', 'We write to {{customer.email}}.'],
    ['{{order.id}} {{ }} {{', '{{order.id}} {{ }} {{'],
    ['{{constructor}} {{toString|x}}', '{{constructor}} {{toString|x}}'],
    ['no variable }}', 'no variable }}'],
  ])('%s', (text, filled) => {
    expect(fillVariables(text, values)).toBe(filled);
  });

  test('are those that the server accepts', () => {
    const known = { ...values, 'customer.email': 'ann@lee.example' };
    const filled = snippetVariables.map((name) => fillVariables(`{{${name}}}`, known));
    expect(filled.filter((text) => text.includes('{'))).toEqual([]);
  });

  test('that have no value are found before the reply is sent, and other braces are not', () => {
    expect(findOpenVariable('Dear {{customer.name}},')).toBe('{{customer.name}}');
    expect(findOpenVariable('Write {{ order }} in your template.')).toBeNull();
  });
});
