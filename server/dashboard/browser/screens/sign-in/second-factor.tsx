import { Anchor, Button, Group, PinInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { verifyBackupCode, verifyCode } from '../../api/sign-in.ts';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useCommonTexts } from '../../texts/common-texts.tsx';
import { describeFault } from './describe-fault.ts';
import { EntryPage } from './entry-page.tsx';
import { Samples } from './samples.tsx';

interface SecondFactorProps {
  readonly onDone: () => void;
  readonly onBack: () => void;
}

/** The code of the authenticator app, or a backup code in its place. */
export function SecondFactor({ onDone, onBack }: SecondFactorProps) {
  const { texts } = useCommonTexts();
  const words = texts.signIn.secondFactor;
  const [code, setCode] = useState('');
  const [useBackup, setUseBackup] = useState(false);
  const verify = useMutation({
    mutationFn: (value: string) => (useBackup ? verifyBackupCode(value.trim()) : verifyCode(value)),
    onSuccess: onDone,
    onError: () => setCode(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate(code);
  };
  return (
    <EntryPage title={words.title} intro={useBackup ? words.backupText : words.text} aside={<Samples />}>
      <form onSubmit={submit}>
        <Stack gap="lg" mt="xl">
          {useBackup ? (
            <TextInput
              size="md"
              label={words.backupCode}
              autoComplete="off"
              autoFocus
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          ) : (
            <div>
              <Text fw={500} mb={4} id="code-label">
                {words.code}
              </Text>
              <PinInput
                length={6}
                type="number"
                oneTimeCode
                autoFocus
                size="md"
                aria-label={words.code}
                value={code}
                onChange={setCode}
                onComplete={(value) => verify.mutate(value)}
              />
            </div>
          )}
          {verify.error !== null && <FaultLine>{describeFault(verify.error, texts)}</FaultLine>}
          <Button type="submit" size="md" fullWidth loading={verify.isPending} disabled={code.length < 6}>
            {words.submit}
          </Button>
        </Stack>
      </form>
      <Group mt="lg" justify="space-between">
        <Anchor component="button" type="button" size="xs" onClick={onBack}>
          {words.back}
        </Anchor>
        <Anchor
          component="button"
          type="button"
          size="xs"
          onClick={() => {
            setCode('');
            setUseBackup(!useBackup);
          }}
        >
          {useBackup ? words.useApp : words.useBackup}
        </Anchor>
      </Group>
    </EntryPage>
  );
}
