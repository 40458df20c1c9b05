import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { recover } from '../../api/sign-in.ts';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useCommonTexts } from '../../texts/common-texts.tsx';
import { describeFault } from './describe-fault.ts';
import { EntryPage } from './entry-page.tsx';
import { NewPassword } from './new-password.tsx';
import { Samples } from './samples.tsx';

/** A new password, by the link that an owner or an operator made. */
export function Recover() {
  const { texts } = useCommonTexts();
  const words = texts.signIn.recover;
  const [token] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => recover(token, password),
    onSuccess: () => location.assign('/dashboard'),
  });
  const isWeak = change.error !== null && toProblem(change.error).code === 'weak_password';
  const fault = change.error === null ? null : describeFault(change.error, texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <EntryPage title={words.title} intro={words.text} aside={<Samples />}>
      <form onSubmit={submit}>
        <Stack gap="lg" mt="xl">
          {token === '' && <FaultLine>{words.noToken}</FaultLine>}
          <NewPassword
            label={texts.signIn.password}
            value={password}
            onValue={setPassword}
            fault={isWeak ? fault : null}
          />
          {fault !== null && !isWeak && <FaultLine>{fault}</FaultLine>}
          <Button type="submit" size="md" fullWidth loading={change.isPending} disabled={token === ''}>
            {words.submit}
          </Button>
        </Stack>
      </form>
    </EntryPage>
  );
}
