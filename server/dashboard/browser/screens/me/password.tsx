import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changePassword } from '../../api/account.ts';
import { useMe } from '../../api/queries/me.ts';
import { Section } from '../../parts/page/section.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { describeFault } from '../sign-in/describe-fault.ts';
import { NewPassword } from '../sign-in/new-password.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';

/** Changes the password. */
export function Password() {
  const { texts } = useTexts();
  const words = texts.me.password;
  const { person } = useMe();
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword(current, next),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      return client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  if (!person.has_password) return <Section title={words.title} text={words.none} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Section title={words.title} text={words.text}>
      <form onSubmit={submit}>
        <input type="hidden" name="username" autoComplete="username" value={person.email} readOnly />
        <Stack gap="lg" maw={360}>
          <PasswordField
            size="md"
            label={words.current}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={current}
            onValue={setCurrent}
          />
          <NewPassword label={words.next} value={next} onValue={setNext} fault={null} />
          {change.error !== null && <FaultLine>{describeFault(change.error, texts)}</FaultLine>}
          <div role="status">{change.isSuccess && <Text c="var(--p-green)">{words.done}</Text>}</div>
          <div>
            <Button type="submit" variant="default" loading={change.isPending}>
              {words.submit}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}
