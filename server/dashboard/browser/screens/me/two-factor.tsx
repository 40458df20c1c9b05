import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { beginTwoFactor, confirmTwoFactor, endTwoFactor, type TwoFactorSetup } from '../../api/account.ts';
import { meQuery, useMe } from '../../api/queries/me.ts';
import { ShieldCheck } from '../../icons.ts';
import { CopyButton, CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/page/section.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { describeFault } from '../sign-in/describe-fault.ts';
import { PasswordField } from '../sign-in/password-field.tsx';

/** Switches two-factor sign-in on and off. */
export function TwoFactor() {
  const { texts } = useTexts();
  const words = texts.me.twoFactor;
  const { person } = useMe();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null);
  const isOn = person.two_factor_enabled;
  const close = () => {
    setAsking(false);
    setSetup(null);
    void client.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  const pill = (
    <StatusPill tone={isOn ? 'green' : 'grey'} {...(isOn && { icon: ShieldCheck })}>
      {isOn ? words.on : words.off}
    </StatusPill>
  );
  return (
    <Section title={words.title} text={person.has_password ? words.text : words.needsPassword} beside={pill}>
      {person.has_password && setup === null && !isAsking && (
        <div>
          <Button variant="default" onClick={() => setAsking(true)}>
            {isOn ? words.turnOff : words.turnOn}
          </Button>
        </div>
      )}
      {isAsking && setup === null && (
        <Confirm isOn={isOn} onSetup={setSetup} onDone={close} onCancel={() => setAsking(false)} />
      )}
      {setup !== null && <SetUp setup={setup} onDone={close} />}
    </Section>
  );
}

interface ConfirmProps {
  readonly isOn: boolean;
  readonly onSetup: (setup: TwoFactorSetup) => void;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function Confirm({ isOn, onSetup, onDone, onCancel }: ConfirmProps) {
  const { texts } = useTexts();
  const words = texts.me.twoFactor;
  const [password, setPassword] = useState('');
  const confirm = useMutation({
    mutationFn: async () => {
      if (isOn) await endTwoFactor(password);
      else onSetup(await beginTwoFactor(password));
    },
    onSuccess: () => isOn && onDone(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={360}>
        <PasswordField
          label={words.confirmPassword}
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus
          value={password}
          onValue={setPassword}
        />
        {confirm.error !== null && <FaultLine>{describeFault(confirm.error, texts)}</FaultLine>}
        <Group gap="sm">
          <Button type="submit" variant="default" loading={confirm.isPending}>
            {isOn ? words.turnOff : words.turnOn}
          </Button>
          <Button variant="subtle" color="gray" onClick={onCancel}>
            {texts.parts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface SetUpProps {
  readonly setup: TwoFactorSetup;
  readonly onDone: () => void;
}

function SetUp({ setup: { totpURI, backupCodes }, onDone }: SetUpProps) {
  const { texts } = useTexts();
  const words = texts.me.twoFactor;
  const [code, setCode] = useState('');
  const confirm = useMutation({ mutationFn: () => confirmTwoFactor(code), onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  const secret = URL.canParse(totpURI) ? (new URL(totpURI).searchParams.get('secret') ?? '') : '';
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Group gap="xl" align="flex-start">
          <QrCode className="p-me-qr" text={totpURI} label={words.qr} />
          <Stack gap="md" maw={320}>
            <Text>{words.scan}</Text>
            <CopyField value={secret} label={words.key} />
          </Stack>
        </Group>
        <div>
          <Group justify="space-between">
            <Text fw={500}>{words.backup}</Text>
            <CopyButton value={backupCodes.join('\n')} label={words.backup} />
          </Group>
          <Text size="xs" c="dimmed">
            {words.backupText}
          </Text>
          <div className="p-card p-me-codes p-mono" dir="ltr">
            {backupCodes.map((each) => (
              <span key={each}>{each}</span>
            ))}
          </div>
        </div>
        <TextInput
          label={words.code}
          maw={200}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {confirm.error !== null && <FaultLine>{describeFault(confirm.error, texts)}</FaultLine>}
        <div>
          <Button type="submit" loading={confirm.isPending} disabled={code.length < 6}>
            {words.finish}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
