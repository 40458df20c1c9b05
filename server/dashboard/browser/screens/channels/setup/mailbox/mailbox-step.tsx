import { Anchor, Button, Group, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ChannelKind } from '../../../../api/kinds.ts';
import { toProblem } from '../../../../api/problem.ts';
import type { Channel } from '../../../../api/queries/channels.ts';
import { ExternalLink, Eye } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { type Fields, isFields, labelOf, withField } from '../../../../parts/schema-form/json-schema.ts';
import { SchemaField } from '../../../../parts/schema-form/schema-field.tsx';
import { FaultLine } from '../../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { placeWords } from '../place-words.ts';
import { FoundServersPanel } from './found-servers.tsx';
import { passwordPages } from './help-pages.ts';
import { LoginChecks } from './login-checks.tsx';
import {
  countFields,
  foldedFields,
  hasOwnKeys,
  type MailboxSchemas,
  placeProblems,
  serverFields,
  toAccount,
  toServerFields,
  withUser,
} from './mailbox-fields.ts';
import type { FoundServers } from './mailbox-requests.ts';
import { useMailboxWords } from './mailbox-words.ts';
import { type MailboxChoice, ProviderChoice } from './provider-choice.tsx';
import { useConnect, useServers } from './use-connect.ts';
import './mailbox.css';

interface MailboxStepProps {
  readonly workspace: string;
  readonly kind: ChannelKind;
  /** The name of a new channel. */
  readonly name: string;
  /** The channel that was added before; null for a new one. */
  readonly channel: Channel | null;
  /** The form calls it with the stored channel, and with whether both servers accepted the login. */
  readonly onStored: (channel: Channel, isProven: boolean) => void;
}

/** Connects a mailbox: the provider, then an address and a password. Everything else is folded and keeps its values. */
export function MailboxStep({ workspace, kind, name, channel, onStored }: MailboxStepProps) {
  const words = useMailboxWords();
  const { texts: shared } = useTexts();
  const [choice, setChoice] = useState<MailboxChoice | null>(null);
  const [address, setAddress] = useState(textOf(channel?.settings.from));
  const [password, setPassword] = useState('');
  const [shownName, setShownName] = useState(textOf(channel?.settings.name));
  const [byHand, setByHand] = useState<Fields>({});
  const [isWhole, setWhole] = useState(false);
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({});
  const servers = useServers({ workspace, choice, address, onProvider: setChoice });
  const connection = useConnect({ workspace, kind: kind.kind, name, id: channel?.id ?? null });
  const folded = { ...stored(channel), ...foundFields(servers.servers), ...byHand };

  const change = (apply: () => void) => {
    apply();
    setMissing({});
    connection.reset();
  };
  const submit = (isAnyway: boolean) => {
    if (choice === null) return;
    const absent = {
      ...(!isAddress(address) && { address: words.address.missing }),
      ...(password === '' && !hasOwnKeys(folded) && { password: words.password.missing }),
    };
    setMissing(absent);
    if (Object.keys(absent).length > 0) return;
    servers.look(choice, (found) => {
      const whole = { ...stored(channel), ...foundFields(found), ...byHand };
      const unknown = Object.values(serverFields).filter((key) => !hasHost(whole[key]));
      if (unknown.length > 0) {
        setWhole(true);
        setMissing(Object.fromEntries(unknown.map((key) => [`${key}.host`, words.servers.none])));
        return;
      }
      // The channel keeps its stored settings, so they are not sent again.
      const given = { ...foundFields(found), ...byHand };
      const isNameless = shownName === '' && textOf(channel?.settings.name) !== '';
      const sender = isNameless ? null : shownName;
      const account = toAccount({ address, password, name: sender, folded: given }, kind);
      const tell = (isProven: boolean) => (made: Channel) => onStored(made, isProven);
      if (isAnyway) connection.connectAnyway(account, tell(false));
      else connection.connect(account, tell(true));
    });
  };

  if (choice === null) {
    return <ProviderChoice value={choice} onChoose={setChoice} />;
  }
  const problems = connection.checks === null ? {} : placeProblems(connection.checks);
  const refused = Object.entries(problems).map(([path, problem]) => [path, words.faults[problem]]);
  const placed = toProblem(placeWords(connection.error, kind.credentials));
  const faults = { ...Object.fromEntries(refused), ...placed.fields, ...missing };
  const { checks } = connection;
  const isRefused = checks?.some(({ problem }) => problem !== null) === true;
  const texts = words.password[choice];
  const page = passwordPages[choice];
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit(false);
      }}
    >
      <Stack gap="lg">
        <ProviderChoice
          value={choice}
          onChoose={(next) => {
            change(() => setChoice(next));
            if (isAddress(address)) servers.look(next);
          }}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="lg">
          <TextInput
            label={words.address.label}
            description={words.address.hint}
            type="email"
            name="address"
            autoComplete="email"
            spellCheck={false}
            value={address}
            error={faults.address ?? faults.from}
            aria-invalid={(faults.address ?? faults.from) !== undefined}
            onChange={(event) => {
              const { value } = event.currentTarget;
              change(() => {
                setAddress(value.trim());
                setByHand((former) => withUser(former, address, value.trim()));
              });
            }}
            onBlur={() => {
              if (isAddress(address)) servers.look(choice);
            }}
          />
          <div>
            <PasswordInput
              label={texts.label}
              description={texts.hint}
              name="password"
              autoComplete="off"
              spellCheck={false}
              value={password}
              error={faults.password}
              aria-invalid={faults.password !== undefined}
              visibilityToggleIcon={() => <Icon of={Eye} />}
              visibilityToggleButtonProps={{ 'aria-label': shared.parts.show, tabIndex: 0 }}
              onChange={(event) => {
                const { value } = event.currentTarget;
                change(() => setPassword(value));
              }}
            />
            {page !== null && (
              <Anchor href={page} target="_blank" rel="noreferrer" size="xs" className="p-provider-help">
                <Icon of={ExternalLink} size={12} /> {texts.link}
              </Anchor>
            )}
          </div>
          <TextInput
            label={words.name.label}
            description={words.name.hint}
            name="name"
            maxLength={100}
            value={shownName}
            error={faults.name}
            aria-invalid={faults.name !== undefined}
            onChange={(event) => {
              const { value } = event.currentTarget;
              change(() => setShownName(value));
            }}
          />
        </SimpleGrid>
        <FoundServersPanel
          domain={address.slice(address.lastIndexOf('@') + 1).toLowerCase()}
          found={servers.servers}
          isLooking={servers.isLooking}
          byHand={byHand}
          isWhole={isWhole}
          more={countAll(kind)}
          onWhole={() => setWhole(!isWhole)}
        />
        {isWhole && (
          <FoldedFields
            kind={kind}
            values={folded}
            faults={faults}
            onValue={(key, value) => change(() => setByHand((former) => withField(former, key, value)))}
          />
        )}
        {(connection.isChecking || checks !== null) && (
          <LoginChecks choice={choice} checks={connection.isChecking ? null : checks} />
        )}
        {servers.error !== null && <FaultLine>{servers.error.message}</FaultLine>}
        {connection.error !== null && <FaultLine>{connection.error.message}</FaultLine>}
        <Group gap="sm">
          <Button type="submit" loading={connection.isBusy || servers.isLooking}>
            {checks === null ? words.submit : words.again}
          </Button>
          {(isRefused || connection.error !== null) && !connection.isBusy && (
            <Button variant="default" onClick={() => submit(true)}>
              {words.anyway}
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed" role="status">
          {channel?.enabled === false ? words.connected : words.anywayHint}
        </Text>
      </Stack>
    </form>
  );
}

interface FoldedFieldsProps {
  readonly kind: ChannelKind;
  readonly values: Fields;
  readonly faults: Readonly<Record<string, string>>;
  readonly onValue: (key: string, value: unknown) => void;
}

/** The servers and all settings, as they were found or are by default. */
function FoldedFields({ kind, values, faults, onValue }: FoldedFieldsProps) {
  const schemas = propertiesOf(kind);
  return (
    <Stack gap="xl" className="p-folded">
      {foldedFields(kind).map((key) => {
        const schema = schemas[key] ?? {};
        return (
          <SchemaField
            key={key}
            path={key}
            label={labelOf(key, schema)}
            schema={schema}
            value={values[key]}
            onValue={(value) => onValue(key, value)}
            isRequired={false}
            faults={faults}
            disabled={false}
          />
        );
      })}
    </Stack>
  );
}

function propertiesOf({ credentials, settings }: MailboxSchemas) {
  return { ...credentials.properties, ...settings.properties };
}

function countAll(kind: MailboxSchemas): number {
  const schemas = propertiesOf(kind);
  return foldedFields(kind).reduce((count, key) => count + countFields(schemas[key] ?? {}), 0);
}

function foundFields(servers: FoundServers | null): Fields {
  const [imap, smtp] = [toServerFields(servers?.incoming), toServerFields(servers?.outgoing)];
  return { ...(imap && { [serverFields.incoming]: imap }), ...(smtp && { [serverFields.outgoing]: smtp }) };
}

/** The stored settings of a channel that was added before. Its credentials are not shown. */
function stored(channel: Channel | null): Fields {
  if (channel === null) return {};
  const { from: _from, name: _name, ...settings } = channel.settings;
  return settings;
}

function hasHost(server: unknown): boolean {
  return isFields(server) && typeof server.host === 'string' && server.host !== '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** As far as it can be told before the server looks at it. */
function isAddress(text: string): boolean {
  const [, domain = '', ...rest] = text.split('@');
  return rest.length === 0 && /^[^\s.]{1,63}(?:\.[^\s.]{1,63}){1,8}$/.test(domain);
}
