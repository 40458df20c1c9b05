import { ActionIcon, Button, Group, TextInput, Title, Tooltip } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useMay } from '../../../api/queries/workspace.ts';
import { BadgeCheck, Pencil } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Initials } from '../../../parts/initials.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useDesk } from '../conversation/use-desk.ts';

/** The customer, with the mark of a verified address. */
export function Customer() {
  const { texts } = useTexts();
  const words = texts.conversation.side;
  const { head, name, mayReply } = useDesk();
  const [isEditing, setEditing] = useState(false);
  const may = useMay('customers:write') && mayReply;
  const { customer, handle, metadata } = head;
  const page = typeof metadata?.page === 'string' ? metadata.page : null;
  const isVerified = customer.email_verified === true;
  return (
    <section className="p-details-section" aria-label={words.customer}>
      <div className="p-customer">
        <Initials size={36} name={name} of={head.id} />
        <div className="p-customer-names">
          <Title order={3}>
            {name}
            {isVerified && (
              <Tooltip label={words.verifiedHint}>
                <span className="p-customer-mark">
                  <Icon of={BadgeCheck} size={14} label={words.verified} />
                </span>
              </Tooltip>
            )}
          </Title>
          <p className="p-details-dim">
            {handle === null
              ? words.anonymous
              : isVerified
                ? words.verified
                : customer.email === null
                  ? words.customer
                  : words.unverified}
          </p>
        </div>
        {may && !isEditing && (
          <Tooltip label={words.edit}>
            <ActionIcon size="xs" aria-label={words.edit} onClick={() => setEditing(true)}>
              <Icon of={Pencil} size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {isEditing ? (
        <CustomerForm onDone={() => setEditing(false)} />
      ) : (
        <dl className="p-details-facts">
          {customer.email !== null && <Fact name={words.email} value={customer.email} />}
          {customer.phone !== null && <Fact name={words.phone} value={customer.phone} />}
          {page !== null && <Fact name={words.page} value={page} />}
        </dl>
      )}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={value} dir="auto">
        {value}
      </dd>
    </div>
  );
}

function CustomerForm({ onDone }: { readonly onDone: () => void }) {
  const { texts } = useTexts();
  const words = texts.conversation.side;
  const { head, change } = useDesk();
  const [name, setName] = useState(head.customer.name ?? '');
  const [email, setEmail] = useState(head.customer.email ?? '');
  const [phone, setPhone] = useState(head.customer.phone ?? '');
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    change({ customer: { name: orNull(name), email: orNull(email), phone: orNull(phone) } }, words.customer);
    onDone();
  };
  return (
    <form className="p-customer-form" onSubmit={save}>
      <TextInput
        size="xs"
        label={words.name}
        value={name}
        autoFocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        type="email"
        label={words.email}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        type="tel"
        label={words.phone}
        value={phone}
        onChange={(event) => setPhone(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button size="xs" variant="default" type="submit">
          {words.save}
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          {words.cancel}
        </Button>
      </Group>
    </form>
  );
}
