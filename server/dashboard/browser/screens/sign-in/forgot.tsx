import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { askForLink, signInOptionsQuery } from '../../api/sign-in.ts';
import { Mail, Terminal, UserRound } from '../../icons.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useCommonTexts } from '../../texts/common-texts.tsx';
import { describeFault } from './describe-fault.ts';
import { EntryPage } from './entry-page.tsx';
import { Samples } from './samples.tsx';

/** The ways to a new link after a lost password: by mail, or from the people who can make one. */
export function Forgot() {
  const { texts } = useCommonTexts();
  const words = texts.signIn.forgot;
  const options = useQuery(signInOptionsQuery(''));
  const byMail = options.data?.sends_mail === true;
  return (
    <EntryPage title={words.title} intro={byMail ? words.mailText : words.text} aside={<Samples />}>
      {options.isPending && <Skeletons rows={2} />}
      {byMail && <MailForm />}
      {!byMail && !options.isPending && <Helpers />}
      <Anchor href="/dashboard/sign-in" size="xs" mt="lg" display="inline-block">
        {words.back}
      </Anchor>
    </EntryPage>
  );
}

function MailForm() {
  const { texts } = useCommonTexts();
  const words = texts.signIn.forgot;
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => askForLink(email.trim()) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  if (ask.isSuccess) {
    return (
      <div className="p-entry-step" role="status">
        <span className="p-entry-tile">
          <Icon of={Mail} />
        </span>
        <div>
          <Text fw={600}>{words.sent}</Text>
          <Text c="var(--p-text-2)">{words.sentText(email.trim())}</Text>
        </div>
      </div>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg" mt="xl">
        <TextInput
          size="md"
          type="email"
          label={texts.signIn.email}
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {ask.error !== null && <FaultLine>{describeFault(ask.error, texts)}</FaultLine>}
        <Button type="submit" size="md" fullWidth loading={ask.isPending}>
          {words.send}
        </Button>
      </Stack>
    </form>
  );
}

function Helpers() {
  const { texts } = useCommonTexts();
  const words = texts.signIn.forgot;
  return (
    <Stack gap={0} mt="lg">
      <div className="p-entry-step">
        <span className="p-entry-tile">
          <Icon of={UserRound} />
        </span>
        <div>
          <Text fw={600}>{words.owner}</Text>
          <Text c="var(--p-text-2)">{words.ownerText}</Text>
        </div>
      </div>
      <div className="p-entry-step">
        <span className="p-entry-tile">
          <Icon of={Terminal} />
        </span>
        <div style={{ minWidth: 0, flex: 1 }}>
          <Text fw={600}>{words.operator}</Text>
          <Text c="var(--p-text-2)" mb="sm">
            {words.operatorText}
          </Text>
          <CopyField value="npm run parley -- person link EMAIL" />
        </div>
      </div>
    </Stack>
  );
}
