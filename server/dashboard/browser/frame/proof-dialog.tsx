import { Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState, useSyncExternalStore } from 'react';
import { hasPasskeys } from '../api/passkeys.ts';
import {
  findProofWays,
  type ProofOffer,
  prove,
  proveByPasskey,
  readQuestion,
  subscribeToQuestion,
} from '../api/prove.ts';
import { FingerprintPattern } from '../icons.ts';
import { Icon } from '../parts/icon.tsx';
import { FaultLine } from '../parts/states/fault-line.tsx';
import { describeFault } from '../screens/sign-in/describe-fault.ts';
import { PasswordField } from '../screens/sign-in/password-field.tsx';
import { useTexts } from '../texts/texts.tsx';

/** The dialog is above drawers and other dialogs, whose forms wait for it. */
const layer = 400;

/** The modals beneath ignore keys that were pressed in an element with this attribute. */
const ownKeys = { 'data-mantine-stop-propagation': 'true' };

/** Asks for a proof of the person before something that cannot be undone, in place. The form beneath stays as it is. */
export function ProofDialog() {
  const { texts } = useTexts();
  const words = texts.signIn.proof;
  const question = useSyncExternalStore(subscribeToQuestion, readQuestion);
  const { data: offer, error } = useQuery({
    queryKey: ['proof-ways'],
    queryFn: findProofWays,
    enabled: question !== null,
    gcTime: 0,
    staleTime: 0,
  });
  // Until then, the button that was pressed shows that something is on its way.
  if (question === null || (offer === undefined && error === null)) return null;
  const cannot = offer !== undefined && offer.ways.length === 0;
  const cancel = () => question.answer(cannot ? words.company(offer.provider) : words.cancelled);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') cancel();
  };
  return (
    <Modal
      opened
      onClose={cancel}
      closeOnEscape={false}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': words.title } }}
      size={420}
      padding="lg"
      zIndex={layer}
      onKeyDown={onKeyDown}
    >
      <Title order={2} fz="lg" mb="md">
        {words.title}
      </Title>
      {error !== null && <FaultLine>{describeFault(error, texts)}</FaultLine>}
      {cannot && (
        <Stack gap="lg">
          <Text>{words.company(offer.provider)}</Text>
          <Group justify="flex-end">
            <Button data-autofocus onClick={cancel} {...ownKeys}>
              {texts.frame.close}
            </Button>
          </Group>
        </Stack>
      )}
      {offer !== undefined && !cannot && (
        <ProofForm offer={offer} onProven={() => question.answer(null)} onCancel={cancel} />
      )}
    </Modal>
  );
}

interface ProofFormProps {
  readonly offer: ProofOffer;
  readonly onProven: () => void;
  readonly onCancel: () => void;
}

function ProofForm({ offer: { ways }, onProven, onCancel }: ProofFormProps) {
  const { texts } = useTexts();
  const words = texts.signIn.proof;
  const [typed, setTyped] = useState('');
  const byCode = ways.includes('code');
  const byPassword = ways.includes('password');
  const byPasskey = ways.includes('passkey') && hasPasskeys();
  const confirm = useMutation({
    mutationFn: () => prove(byCode ? { code: typed.trim() } : { password: typed }),
    onSuccess: onProven,
    onError: () => setTyped(''),
  });
  const passkey = useMutation({ mutationFn: proveByPasskey, onSuccess: onProven });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  const fault = passkey.isError
    ? texts.signIn.errors.passkey
    : confirm.error && describeFault(confirm.error, texts);
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Text>{words.text}</Text>
        {byCode && (
          <TextInput
            data-autofocus
            label={words.code}
            description={words.codeHint}
            autoComplete="one-time-code"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            {...ownKeys}
          />
        )}
        {byPassword && (
          <PasswordField
            data-autofocus
            label={words.password}
            autoComplete="current-password"
            value={typed}
            onValue={setTyped}
            {...ownKeys}
          />
        )}
        {fault !== null && <FaultLine>{fault}</FaultLine>}
        <Group justify="flex-end" gap="sm">
          {byPasskey && (
            <Button
              variant="default"
              leftSection={<Icon of={FingerprintPattern} color="var(--p-dim)" />}
              loading={passkey.isPending}
              onClick={() => passkey.mutate()}
              {...ownKeys}
            >
              {words.passkey}
            </Button>
          )}
          <Button variant="subtle" color="gray" onClick={onCancel} {...ownKeys}>
            {texts.parts.cancel}
          </Button>
          {(byCode || byPassword) && (
            <Button type="submit" loading={confirm.isPending} disabled={typed === ''} {...ownKeys}>
              {words.confirm}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
