import { Button, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { toProblem } from '../../../api/problem.ts';
import { rulesQuery, useRemoveRule } from './ledger-queries.ts';
import { useLedgerWords } from './ledger-words.ts';
import './ledger.css';

interface RulesProps {
  readonly workspace: string;
  readonly source: string;
  readonly may: boolean;
}

/** The rules that people have made for parts of the pages of a source. */
export function Rules({ workspace, source, may }: RulesProps) {
  const words = useLedgerWords();
  const { data } = useQuery(rulesQuery({ workspace, source }));
  const remove = useRemoveRule({ workspace, source });
  const rules = data?.rules ?? [];
  return (
    <section className="p-rules" aria-label={words.rules.title}>
      <Title order={2}>{words.rules.title}</Title>
      <Text size="sm" c="var(--p-text-2)">
        {rules.length === 0 ? words.rules.none : words.rules.text}
      </Text>
      <ul>
        {rules.map((rule) => (
          <li key={rule.id}>
            <div>
              <Text truncate>{rule.sample}</Text>
              <Text size="xs" c="var(--p-text-2)" className="p-breaks">
                {words.rule(words.did[rule.action], rule.created_by, rule.key ?? words.scopes.all)}
              </Text>
            </div>
            {may && (
              <Button
                size="xs"
                variant="default"
                loading={remove.isPending && remove.variables === rule.id}
                aria-label={words.decideFor(words.removeRule, rule.sample.slice(0, 80))}
                onClick={() =>
                  remove.mutate(rule.id, {
                    onError: (error) =>
                      notifications.show({ message: toProblem(error).message, color: 'red', role: 'alert' }),
                  })
                }
              >
                {words.removeRule}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
