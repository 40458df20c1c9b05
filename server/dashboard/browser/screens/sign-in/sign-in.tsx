import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { hasPasskeys, signInByPasskey } from '../../api/passkeys.ts';
import { goToProvider, signInByPassword, signInOptionsQuery } from '../../api/sign-in.ts';
import { Building2, FingerprintPattern } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useCommonTexts } from '../../texts/common-texts.tsx';
import { describeFault } from './describe-fault.ts';
import { EntryPage } from './entry-page.tsx';
import { PasswordField } from './password-field.tsx';
import { Samples } from './samples.tsx';
import { SecondFactor } from './second-factor.tsx';

/** The way in: password and second factor, passkey, or the sign-in of the company. */
export function SignIn() {
  const { texts } = useCommonTexts();
  const words = texts.signIn;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const { data: options } = useQuery(signInOptionsQuery(''));
  const [domain] = useDebouncedValue(domainOf(email), 200);
  const providers = useQuery({ ...signInOptionsQuery(domain), enabled: domain !== '' }).data?.providers ?? [];
  const byPassword = useMutation({
    mutationFn: () => signInByPassword(email, password),
    onSuccess: ({ twoFactorRedirect }) => (twoFactorRedirect === true ? setNeedsCode(true) : goBack()),
    onError: () => setPassword(''),
  });
  const byPasskey = useMutation({ mutationFn: signInByPasskey, onSuccess: goBack });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    byPassword.mutate();
  };
  if (needsCode) return <SecondFactor onDone={goBack} onBack={() => setNeedsCode(false)} />;
  const failed = byPassword.error && describeFault(byPassword.error, texts);
  const fault = byPasskey.isError ? words.errors.passkey : failed;
  const isFresh = byPasskey.isIdle && byPassword.isIdle;
  const brought = isFresh ? (options?.fault ?? null) : null;
  return (
    <EntryPage title={words.title} intro={words.to(location.host)} aside={<Samples />}>
      <form onSubmit={submit}>
        <Stack gap="lg" mt="xl">
          <TextInput
            size="md"
            type="email"
            label={words.email}
            autoComplete="username webauthn"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <div className="p-entry-password">
            <PasswordField
              size="md"
              label={words.password}
              autoComplete="current-password"
              required
              withAsterisk={false}
              value={password}
              onValue={setPassword}
            />
            <Anchor href="/dashboard/forgot" size="xs" className="p-entry-forgot">
              {words.forgotten}
            </Anchor>
          </div>
          {fault !== null && <FaultLine>{fault}</FaultLine>}
          {brought !== null && <FaultLine>{brought}</FaultLine>}
          <Button type="submit" size="md" fullWidth loading={byPassword.isPending}>
            {words.submit}
          </Button>
        </Stack>
      </form>
      {(hasPasskeys() || providers.length > 0) && (
        <Text component="div" className="p-entry-or">
          {words.or}
        </Text>
      )}
      <Stack gap="sm">
        {hasPasskeys() && (
          <Button
            size="md"
            variant="default"
            fullWidth
            leftSection={<Icon of={FingerprintPattern} color="var(--p-dim)" />}
            loading={byPasskey.isPending}
            onClick={() => byPasskey.mutate()}
          >
            {words.passkey}
          </Button>
        )}
        {providers.map((provider) => (
          <Button
            key={provider.url}
            size="md"
            variant="default"
            fullWidth
            leftSection={<Icon of={Building2} color="var(--p-dim)" />}
            onClick={() => goToProvider(provider, returnAddress())}
          >
            {words.provider(provider.name)}
          </Button>
        ))}
      </Stack>
    </EntryPage>
  );
}

/** Empty until the address has a whole domain. */
function domainOf(email: string): string {
  const domain = email.trim().split('@')[1]?.toLowerCase() ?? '';
  return domain.includes('.') && !domain.endsWith('.') ? domain : '';
}

/** Loads the page that the person wanted anew, with their session. */
function goBack(): void {
  location.assign(returnAddress());
}

/** Only addresses of the dashboard: a link to sign-in must not lead to another site. */
function returnAddress(): string {
  const wanted = new URLSearchParams(location.search).get('return') ?? '';
  const url = URL.canParse(wanted, location.origin) ? new URL(wanted, location.origin) : null;
  const isOurs = url?.origin === location.origin && url.pathname.startsWith('/dashboard');
  // The token of an invitation stays behind the #, where no server sees it.
  return isOurs && url !== null ? url.pathname + url.search + location.hash : '/dashboard';
}
