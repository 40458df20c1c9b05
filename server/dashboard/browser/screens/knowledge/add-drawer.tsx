import { Button, Drawer, Group, MultiSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { audiencesQuery, useAddPage, useAddText } from '../../api/queries/documents.ts';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface AddDrawerProps {
  readonly workspace: string;
  /** The kind from the address: `text`, `page`, or anything else for none. */
  readonly kind: string | undefined;
  readonly onClose: () => void;
}

/** Adds a text or a page of the web, beside the list. */
export function AddDrawer({ workspace, kind, onClose }: AddDrawerProps) {
  const { texts } = useTexts();
  const { paste, address } = texts.knowledge;
  const isText = kind === 'text';
  return (
    <Drawer
      opened={isText || kind === 'page'}
      onClose={onClose}
      position="right"
      size={isText ? 'lg' : 'md'}
      title={isText ? paste.title : address.title}
      className="p-drawer"
      attributes={{ header: { role: 'presentation' } }}
      overlayProps={{ backgroundOpacity: 0.35 }}
      closeButtonProps={{ 'aria-label': texts.frame.close }}
    >
      {isText ? (
        <TextForm workspace={workspace} onClose={onClose} />
      ) : (
        <AddressForm workspace={workspace} onClose={onClose} />
      )}
    </Drawer>
  );
}

interface FormProps {
  readonly workspace: string;
  readonly onClose: () => void;
}

function TextForm({ workspace, onClose }: FormProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.paste;
  const [title, setTitle] = useState('');
  const [content, setContent] = useState('');
  const [audience, setAudience] = useState<string[]>([]);
  const [isTried, setTried] = useState(false);
  const add = useAddText(workspace);
  const missing = (text: string) => isTried && text.trim() === '' && texts.parts.form.required;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (title.trim() === '' || content.trim() === '') return;
    add.mutate({ title, content, audience }, { onSuccess: onClose });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label={words.name}
          placeholder={words.namePlaceholder}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          error={missing(title)}
          data-autofocus
        />
        <Textarea
          label={words.text}
          description={words.textHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={12}
          maxRows={24}
          value={content}
          onChange={({ currentTarget }) => setContent(currentTarget.value)}
          error={missing(content)}
        />
        <AudienceField workspace={workspace} value={audience} onChange={setAudience} />
        {add.isError && <FaultLine>{toProblem(add.error).message}</FaultLine>}
        <Actions busy={add.isPending} label={words.add} onClose={onClose} />
      </Stack>
    </form>
  );
}

function AddressForm({ workspace, onClose }: FormProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.address;
  const [url, setUrl] = useState('');
  const [audience, setAudience] = useState<string[]>([]);
  const [isTried, setTried] = useState(false);
  const add = useAddPage(workspace);
  const typed = url.trim();
  const whole = typed.includes('://') ? typed : `https://${typed}`;
  const isWrong = URL.parse(whole) === null || !whole.startsWith('http') || typed === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isWrong) add.mutate({ url: whole, audience }, { onSuccess: onClose });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label={words.url}
          description={words.hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="url"
          dir="ltr"
          placeholder="https://example.com/help"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={isTried && isWrong && texts.knowledge.page.urlInvalid}
          data-autofocus
        />
        <AudienceField workspace={workspace} value={audience} onChange={setAudience} />
        {add.isError && <FaultLine>{toProblem(add.error).message}</FaultLine>}
        <Actions busy={add.isPending} label={words.add} onClose={onClose} />
      </Stack>
    </form>
  );
}

interface AudienceFieldProps {
  readonly workspace: string;
  readonly value: string[];
  readonly onChange: (value: string[]) => void;
}

function AudienceField({ workspace, value, onChange }: AudienceFieldProps) {
  const { texts } = useTexts();
  const { paste } = texts.knowledge;
  const { data: audiences = [] } = useQuery(audiencesQuery(workspace));
  if (audiences.length === 0) return null;
  return (
    <MultiSelect
      label={paste.audience}
      description={paste.audienceHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={audiences}
      value={value}
      onChange={onChange}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

interface ActionsProps {
  readonly busy: boolean;
  readonly label: string;
  readonly onClose: () => void;
}

function Actions({ busy, label, onClose }: ActionsProps) {
  const { texts } = useTexts();
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="subtle" onClick={onClose}>
        {texts.parts.cancel}
      </Button>
      <Button type="submit" loading={busy}>
        {label}
      </Button>
    </Group>
  );
}
