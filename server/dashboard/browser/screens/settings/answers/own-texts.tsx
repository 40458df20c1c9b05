import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { useChangeWorkspace, type Workspace, workspaceQuery } from '../../../api/queries/settings.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { RotateCcw } from '../../../icons.ts';
import { createDrafts, useKeptDraft } from '../../../parts/drafts.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Section } from '../../../parts/page/section.tsx';
import type { JsonSchema } from '../../../parts/schema-form/json-schema.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useSettingsSchema } from '../use-settings-schema.ts';
import { sampleQuestions } from './sample-questions.ts';

/** The settings of each kind of text: the one for all languages, and those by language. */
const kinds = {
  fallback: { forAll: 'fallback_message', byLanguage: 'fallback_messages', search: 'language' },
  disclosure: { forAll: 'disclosure_message', byLanguage: 'disclosure_messages', search: 'sentence' },
} as const;

type Kind = keyof typeof kinds;

/** The texts by language; that of the empty language counts for all languages without one. */
type OwnTexts = Readonly<Record<string, string>>;

const everyLanguage = '';

const drafts = createDrafts<OwnTexts>();

/** A text for visitors in each language, as they see it: when nothing is found, or that a machine answers. */
export function OwnTextsSection({ kind }: { readonly kind: Kind }) {
  const { texts } = useTexts();
  const words = texts.settings[kind];
  const id = useWorkspaceId();
  const { data: workspace } = useQuery(workspaceQuery(id));
  const { data: schema } = useSettingsSchema(id);
  const languages = schema?.properties?.[kinds[kind].byLanguage]?.properties;
  const change = useChangeWorkspace(id);
  if (workspace === undefined || languages === undefined) return null;
  return (
    <Section title={words.title} text={words.text}>
      <TextsForm
        key={JSON.stringify(textsOf(workspace, kind))}
        kind={kind}
        workspace={workspace}
        languages={languages}
        change={change}
      />
    </Section>
  );
}

function textsOf({ settings }: Workspace, kind: Kind): OwnTexts {
  const { forAll, byLanguage } = kinds[kind];
  const text = settings[forAll];
  return sorted({ ...settings[byLanguage], ...(text !== undefined && { [everyLanguage]: text }) });
}

interface TextsFormProps {
  readonly kind: Kind;
  readonly workspace: Workspace;
  readonly languages: Readonly<Record<string, JsonSchema>>;
  /** Outlives the form, which begins anew with what was saved. */
  readonly change: ReturnType<typeof useChangeWorkspace>;
}

function TextsForm({ kind, workspace, languages, change }: TextsFormProps) {
  const { texts, language: uiLanguage } = useTexts();
  const words = texts.settings[kind];
  const names = kinds[kind];
  const may = useMay('workspace:write');
  const navigate = useNavigate();
  const search: { readonly language?: string; readonly sentence?: string } = useSearch({ strict: false });
  const stored = textsOf(workspace, kind);
  const place = `${workspace.id}/settings/answers/${kind}`;
  const { draft: own, setDraft: setOwn, isUnsaved, save, discard } = useKeptDraft({ drafts, place, stored });
  const codes = [everyLanguage, ...Object.keys(languages)];
  const language = codes.find((code) => code === search[names.search]) ?? everyLanguage;
  const languageNames = new Intl.DisplayNames(uiLanguage, { type: 'language' });
  const nameOf = (code: string) => (code === everyLanguage ? words.all : (languageNames.of(code) ?? code));
  const seenIn = language === everyLanguage ? (codes.find((code) => code === uiLanguage) ?? 'en') : language;
  const builtIn = String(languages[seenIn]?.default ?? '');
  const inherited = (language === everyLanguage ? undefined : own[everyLanguage]) ?? builtIn;
  const text = own[language] ?? '';
  const write = (next: string) => {
    const { [language]: _, ...others } = own;
    setOwn(next.trim() === '' ? others : sorted({ ...others, [language]: next }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { [everyLanguage]: forAll = null, ...byLanguage } = own;
    const isEmpty = Object.keys(byLanguage).length === 0;
    const settings = { [names.forAll]: forAll, [names.byLanguage]: isEmpty ? null : byLanguage };
    save(() => change.mutateAsync({ settings }));
  };
  return (
    <form onSubmit={submit} data-field={`${names.forAll} ${names.byLanguage}`}>
      <Stack gap="lg">
        <NativeSelect
          label={words.language}
          description={words.counts(Object.keys(own).filter((code) => code !== everyLanguage).length)}
          maw={320}
          value={language}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              to: '.',
              search: { ...search, [names.search]: value === everyLanguage ? undefined : value },
              replace: true,
              resetScroll: false,
            })
          }
          data={codes.map((code) => ({
            value: code,
            label: own[code] === undefined ? nameOf(code) : words.own(nameOf(code)),
          }))}
        />
        <div>
          <Textarea
            label={words.label(nameOf(language))}
            lang={seenIn}
            dir={language === 'ar' ? 'rtl' : 'auto'}
            autosize
            minRows={3}
            maxRows={8}
            maxLength={1_000}
            disabled={!may}
            placeholder={inherited}
            value={text}
            onChange={(event) => write(event.currentTarget.value)}
          />
          <Group gap="sm" mt={4} mih={20} fz={12} c="dimmed">
            <span>{text === '' ? words.inherited : words.replaced}</span>
            {text !== '' && may && (
              <Button
                variant="transparent"
                size="compact-xs"
                px={0}
                leftSection={<Icon of={RotateCcw} size={12} />}
                onClick={() => write('')}
              >
                {words.reset}
              </Button>
            )}
          </Group>
        </div>
        <Preview kind={kind} name={workspace.name} language={seenIn} text={text === '' ? inherited : text} />
        {change.error !== null && <FaultLine>{toProblem(change.error).message}</FaultLine>}
        {may && (
          <Group gap="md">
            <Button type="submit" loading={change.isPending} disabled={!isUnsaved}>
              {texts.parts.save}
            </Button>
            {isUnsaved && !change.isPending && <Unsaved onDiscard={discard} />}
            <div role="status">
              {change.isSuccess && !isUnsaved && <Text c="var(--p-green)">{texts.settings.saved}</Text>}
            </div>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** Sorts the texts, so that two of them compare. */
function sorted(own: OwnTexts): OwnTexts {
  return Object.fromEntries(Object.entries(own).toSorted(([one], [other]) => one.localeCompare(other)));
}

interface PreviewProps {
  readonly kind: Kind;
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** A question and the text, as the widget shows them. */
function Preview({ kind, name, language, text }: PreviewProps) {
  const { texts } = useTexts();
  const words = texts.settings[kind];
  return (
    <figure className="p-own-text" aria-label={words.preview}>
      <figcaption className="p-own-text-name">{words.preview}</figcaption>
      <div className="p-own-text-chat" lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
        {kind === 'disclosure' && <p className="p-own-text-line">{text}</p>}
        <p className="p-own-text-question">{sampleQuestions[language]}</p>
        {kind === 'fallback' && (
          <div className="p-own-text-answer">
            <span className="p-own-text-from">{name}</span>
            <p>{text}</p>
          </div>
        )}
      </div>
    </figure>
  );
}
